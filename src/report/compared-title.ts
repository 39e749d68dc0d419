import type { ColumnComparison } from '../contract/row-set.js';

const signs: Readonly<Record<ColumnComparison['output'], string>> = {
  value: '',
  absoluteChange: 'Δ ',
  relativeChange: 'Δ% ',
};

/** Heading of a column that compares a measure with an earlier period. Signs say what changed, so that no words are needed for it. */
export function comparedTitle(title: string, { amount, unit, output }: ColumnComparison, locale = 'en'): string {
  return `${signs[output]}${title} (${agoText(amount, unit, locale)})`;
}

function agoText(amount: number, unit: string, locale: string): string {
  try {
    return new Intl.RelativeTimeFormat(locale).format(-amount, unit as Intl.RelativeTimeFormatUnit);
  } catch {
    return `−${amount} ${unit}`;
  }
}
