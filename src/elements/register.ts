/**
 * Defines an element unless its tag is taken: a page may load two copies of this package, and the first one serves it.
 * Does nothing without a document: on a server Lit brings a registry of its own, which several bundles of one process share.
 */
export function register(tag: string, element: CustomElementConstructor): void {
  if (typeof document === 'undefined') return;
  if (customElements.get(tag)) {
    // biome-ignore lint/suspicious/noConsole: the host can't learn otherwise that this copy of the element is not in use.
    console.warn(`<${tag}> is defined already: this page loads pa-embed twice. The first definition stays in use.`);
    return;
  }
  customElements.define(tag, element);
}
