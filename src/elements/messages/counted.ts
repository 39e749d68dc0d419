import { formattingLocale } from '../../report/locale.js';

/** A sentence by plural category, with `#` in the place of the figure. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

/** Formats numbers of messages in one language. */
export function figuresIn(language: string): Intl.NumberFormat {
  return new Intl.NumberFormat(formattingLocale(language));
}

/** Says counts in one language, by its own rules of plurals and with its own separators. */
export function countedIn(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  const figures = figuresIn(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', () => figures.format(count));
}
