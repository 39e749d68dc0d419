import type { ReactiveControllerHost } from 'lit';
import { schemeOf, type ThemeSources, type ThemeTokens, themeTokens } from '../../report/theme/theme.js';

/** Host requirements for applying a theme. */
export type ThemedHost = ReactiveControllerHost & HTMLElement & { readonly renderRoot: HTMLElement | DocumentFragment };

/**
 * Applies themes to an element as private custom properties in a separate style sheet, so that the page's `--pa-*`
 * properties take precedence.
 */
export class ThemeStyle {
  readonly #host: ThemedHost;
  #rule: CSSStyleRule | null = null;

  constructor(host: ThemedHost) {
    this.#host = host;
  }

  /** Replaces the current themes. */
  use(sources: ThemeSources): void {
    const tokens = themeTokens(sources, (property, value) => CSS.supports(property, value));
    if (tokens.size > 0 || this.#rule) this.#apply(tokens, schemeOf(tokens));
  }

  #apply(tokens: ThemeTokens, scheme: string | null): void {
    this.#rule ??= ownRule(this.#host.renderRoot);
    const style = this.#rule?.style;
    if (!style) return;
    for (const name of [...style]) style.removeProperty(name);
    for (const [token, value] of tokens) style.setProperty(`--_theme-${token}`, value);
    if (scheme && !this.#hasOwnColors()) style.setProperty('color-scheme', scheme);
  }

  /** True if the page itself sets colors of tiles or text, and is therefore responsible for the color scheme. */
  #hasOwnColors(): boolean {
    const computed = getComputedStyle(this.#host);
    return ['--pa-surface', '--pa-text'].some(name => computed.getPropertyValue(name) !== '');
  }
}

/** Returns an empty rule for the host in a new style sheet. A style attribute would interfere with the page's. */
function ownRule(root: HTMLElement | DocumentFragment): CSSStyleRule | null {
  if (!(root instanceof ShadowRoot)) return null;
  const sheet = new CSSStyleSheet();
  sheet.insertRule(':host {}');
  root.adoptedStyleSheets.push(sheet);
  const rule = sheet.cssRules[0];
  return rule instanceof CSSStyleRule ? rule : null;
}
