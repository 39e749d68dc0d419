import type { Cell } from '../../contract/data.js';
import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { safeHref } from '../format/safe-href.js';
import type { Mark } from './mark.js';

/** A link of a dimension in the model, resolved for one mark. */
export type MarkLink =
  | { readonly type: 'url'; readonly label: string; readonly href: string }
  /** A dashboard, by slug, filtered by the mark. */
  | { readonly type: 'dashboard'; readonly label: string; readonly slug: string };

const maxLinks = 20;
const maxLabelLength = 100;

/**
 * Returns the links of a mark's dimensions. A dimension defines them as `links`, or as `links` in its `meta`, each with
 * a `label` and either a `url`, in which `{value}` and `{view.member}` are replaced with values of the mark, or the
 * slug of a `dashboard`. Invalid links and unsafe targets are omitted.
 */
export function markLinks(mark: Mark, { columns }: RowSet): readonly MarkLink[] {
  const links = columns.flatMap(({ member, annotation }) => {
    const value = Object.hasOwn(mark.values, member) ? mark.values[member] : undefined;
    if (value === undefined || value === null) return [];
    return linksIn(annotation).flatMap(
      link => toLink(link, value, mark, annotation.shortTitle || annotation.title) ?? [],
    );
  });
  return links.slice(0, maxLinks);
}

function linksIn(annotation: {
  readonly links?: unknown;
  readonly meta?: JsonObject | null | undefined;
}): JsonObject[] {
  const given = annotation.links ?? annotation.meta?.links;
  return Array.isArray(given) ? given.slice(0, maxLinks).filter(isObject) : [];
}

function toLink({ label, name, url, dashboard }: JsonObject, value: Cell, mark: Mark, title: string): MarkLink | null {
  const words = (text(label) || text(name) || title).slice(0, maxLabelLength);
  if (text(dashboard)) return { type: 'dashboard', label: words, slug: text(dashboard) };
  const href = text(url) ? safeHref(filledIn(text(url), value, mark)) : null;
  return href === null ? null : { type: 'url', label: words, href };
}

/**
 * Inserts values into a URL. Values are URL-encoded, so that they cannot change its structure. A URL that consists of a
 * single placeholder is the value itself.
 */
function filledIn(url: string, value: Cell, { values }: Mark): string {
  const cellOf = (name: string): Cell | undefined => {
    if (name === 'value') return value;
    return Object.hasOwn(values, name) ? values[name] : undefined;
  };
  const whole = /^\{\s*([\w.]+)\s*\}$/.exec(url)?.[1];
  if (whole !== undefined) return String(cellOf(whole) ?? '');
  return url.replace(/\{\s*([\w.]+)\s*\}/g, (all, name: string) => {
    const found = cellOf(name);
    return found === undefined ? all : encodeURIComponent(String(found ?? '').replace(/\p{Surrogate}/gu, '\ufffd'));
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
