import type { FormatDescription, MemberFormat } from '../../../contract/data.js';
import { MemberType } from './conditions.js';

/** Returns the default title of a name: `Avg Delay` for `avgDelay` and `avg_delay`. */
export function titleize(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .split('_')
    .filter(Boolean);
  return words
    .map(word => (/^ids?$/i.test(word) ? `ID${word.slice(2)}` : word[0]?.toUpperCase() + word.slice(1)))
    .join(' ');
}

/** Formats that responses contain by name. */
export const plainFormats: ReadonlySet<string> = new Set(['number', 'percent', 'currency', 'id', 'imageUrl', 'link']);
const families: Readonly<Record<string, { prefix: string; type: string }>> = {
  number: { prefix: ',', type: 'f' },
  decimal: { prefix: ',', type: 'f' },
  percent: { prefix: '', type: '%' },
  currency: { prefix: '$,', type: 'f' },
  accounting: { prefix: '(,', type: 'f' },
  abbr: { prefix: '', type: 's' },
};

/**
 * Returns the format of a member for responses: a plain name, or `custom-numeric` / `custom-time` with a d3 or strftime
 * pattern. A name such as `percent_1` becomes its pattern, with the name as `alias` (spec: formatting defaults of the
 * Data API).
 */
export function formatOf(format: MemberFormat | undefined, type: MemberType): MemberFormat | undefined {
  if (format === undefined || typeof format !== 'string' || plainFormats.has(format)) return format;
  const named = /^(number|decimal|percent|currency|accounting|abbr)(?:_([0-6]))?$/.exec(format);
  const family = families[named?.[1] ?? ''];
  if (named && family) {
    const digits = named[2] ?? '2';
    const trim = digits === '0' && family.type !== 's' ? '' : '~';
    return { type: 'custom-numeric', value: `${family.prefix}.${digits}${trim}${family.type}`, alias: format };
  }
  return type === MemberType.string || type === MemberType.boolean
    ? format
    : { type: type === MemberType.time ? 'custom-time' : 'custom-numeric', value: format };
}

const standardPatterns: Readonly<Record<string, string>> = { percent: '.2~%', currency: '$,.2~f', id: '.0f' };

/**
 * Returns the number format of a member, including defaults; `undefined` for non-numeric types, which have no d3
 * pattern (spec: formatting defaults of the Data API).
 */
export function formatDescriptionOf(
  format: MemberFormat | undefined,
  type: MemberType,
  currency?: string,
): FormatDescription | undefined {
  if (type !== MemberType.number) return undefined;
  return { ...numericFormat(formatOf(format, type)), ...(currency === undefined ? {} : { currency }) };
}

function numericFormat(format: MemberFormat | undefined): FormatDescription {
  if (typeof format === 'object' && format.type === 'custom-numeric' && format.value !== undefined) {
    const { alias } = format;
    return { name: typeof alias === 'string' ? alias : 'custom', specifier: format.value };
  }
  const pattern = typeof format === 'string' ? standardPatterns[format] : undefined;
  return typeof format === 'string' && pattern
    ? { name: format, specifier: pattern }
    : { name: 'number', specifier: ',.2~f' };
}
