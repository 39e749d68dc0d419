import { countFormat, formattingLocale, pluralRule } from '../../report/format/locale.js';
import type { KpiOffset } from '../../report/kpi/kpi.js';

/** A title that states what happened, and a hint that states what to do. */
export type Notice = readonly [title: string, hint: string];

type Message = string | Notice | ((...values: never[]) => string | Notice);

/** The messages of an element: strings, notices, functions that insert values, and groups of these. */
export interface MessageTree {
  readonly [key: string]: Message | MessageTree;
}

/** A sentence for each plural category; `#` is replaced by the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

/** Formats counts in messages. */
interface CountFormat {
  format(count: number): string;
}

/** Returns the number format of counts in messages of one language. `Intl` is slow, so it is created on first use. */
export function createCountFormat(language: string): CountFormat {
  return { format: countFormat(language) };
}

/**
 * Returns a function that selects the plural form of a count by the rules of one language, and inserts the formatted
 * count. The rules are created on first use.
 */
export function createPluralizer(language: string): (count: number, forms: PluralForms) => string {
  const format = countFormat(language);
  const rule = pluralRule(language);
  return (count, forms) => (forms[rule(count)] ?? forms.other).replace('#', () => format(count));
}

/**
 * Returns a function that formats how long ago a period was ("3 months ago"). The function returns `null` for the
 * previous period, for which each catalog has a message.
 */
export function createTimeAgo(language: string): (offset: KpiOffset) => string | null {
  let relative: Intl.RelativeTimeFormat | undefined;
  return ({ amount, unit }) => {
    if (amount === 1 || unit === 'other') return null;
    relative ??= new Intl.RelativeTimeFormat(formattingLocale(language));
    return relative.format(-amount, unit);
  };
}
