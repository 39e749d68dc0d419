/** A sentence by plural category, with `#` in the place of the figure. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

/** Says counts in one language, by its own rules of plurals and in its own figures. */
export function countedIn(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  const figures = new Intl.NumberFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', () => figures.format(count));
}
