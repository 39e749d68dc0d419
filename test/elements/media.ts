/**
 * Runs `look` with the rules of a media query that the test browser does not match (touch screen, print, narrow
 * window) applied unconditionally.
 */
export async function withMedia(element: Element, query: string, check: () => unknown): Promise<void> {
  const rules = [...(element.shadowRoot?.adoptedStyleSheets ?? [])]
    .flatMap(sheet => [...sheet.cssRules])
    .filter(rule => rule instanceof CSSMediaRule)
    .filter(rule => rule.conditionText === query);
  if (rules.length === 0) throw new Error(`<${element.localName}> has no style for ${query}.`);
  try {
    for (const { media } of rules) media.mediaText = 'all';
    await check();
  } finally {
    for (const { media } of rules) media.mediaText = query;
  }
}
