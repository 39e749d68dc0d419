import { formattingLocale } from '../../report/format/locale.js';
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

/** Returns the number format of counts in messages of one language. */
export function createCountFormat(language: string): Intl.NumberFormat {
  return new Intl.NumberFormat(formattingLocale(language));
}

/**
 * Returns a function that selects the plural form of a count by the rules of one language, and inserts the formatted
 * count.
 */
export function createPluralizer(language: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language);
  const format = createCountFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', () => format.format(count));
}

/**
 * Returns a function that formats how long ago a period was ("3 months ago"). The function returns `null` for the
 * previous period, for which each catalog has a message.
 */
export function createTimeAgo(language: string): (offset: KpiOffset) => string | null {
  const relative = new Intl.RelativeTimeFormat(formattingLocale(language));
  return ({ amount, unit }) => (amount === 1 || unit === 'other' ? null : relative.format(-amount, unit));
}
