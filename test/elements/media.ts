/**
 * Looks at an element as it is under a media query that the browser of these tests does not meet (a touch screen, paper, a narrow
 * window): its rules hold everywhere meanwhile.
 */
export async function underMedia(element: Element, query: string, look: () => unknown): Promise<void> {
  const rules = [...(element.shadowRoot?.adoptedStyleSheets ?? [])]
    .flatMap(sheet => [...sheet.cssRules])
    .filter(rule => rule instanceof CSSMediaRule)
    .filter(rule => rule.conditionText === query);
  if (rules.length === 0) throw new Error(`No style of <${element.localName}> is for ${query}.`);
  try {
    for (const { media } of rules) media.mediaText = 'all';
    await look();
  } finally {
    for (const { media } of rules) media.mediaText = query;
  }
}
