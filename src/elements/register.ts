/**
 * Defines an element unless its tag is taken: a page may load two copies of this package, and the first one serves it.
 * Does nothing where there are no custom elements, as in Node.
 */
export function register(tag: string, element: CustomElementConstructor): void {
  if (typeof customElements === 'undefined') return;
  if (customElements.get(tag)) {
    // biome-ignore lint/suspicious/noConsole: the host can't learn otherwise that this copy of the element is not in use.
    console.warn(`<${tag}> is defined already: this page loads pa-embed twice. The first definition stays in use.`);
    return;
  }
  customElements.define(tag, element);
}
