/**
 * Defines an element unless its tag is already defined. If a page loads two copies of this package, the first one is
 * used. Does nothing without a document. On a server, Lit uses its own registry, which several bundles in one process
 * share.
 */
export function register(tag: string, element: CustomElementConstructor): void {
  if (typeof document === 'undefined') return;
  if (customElements.get(tag)) {
    // biome-ignore lint/suspicious/noConsole: the host has no other way to detect the unused copy.
    console.warn(`<${tag}> is already defined: this page loads pa-embed twice. The first definition is used.`);
    return;
  }
  customElements.define(tag, element);
}
