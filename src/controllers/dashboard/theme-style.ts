import type { ReactiveControllerHost } from 'lit';
import { schemeOf, type ThemeSources, type ThemeTokens, themeTokens } from '../../report/theme/theme.js';

/** What an element whose theme is kept has, beside what every element has. */
export type ThemedHost = ReactiveControllerHost & HTMLElement & { readonly renderRoot: HTMLElement | DocumentFragment };

/** Puts themes in force on an element: as private custom properties in a style sheet of its own, below the page's `--pa-*`. */
export class ThemeStyle {
  readonly #host: ThemedHost;
  #rule: CSSStyleRule | null = null;

  constructor(host: ThemedHost) {
    this.#host = host;
  }

  /** Takes these themes in the place of those before. */
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

  /** A page that colours tiles or text itself sees to it that they go together. */
  #hasOwnColors(): boolean {
    const computed = getComputedStyle(this.#host);
    return ['--pa-surface', '--pa-text'].some(name => computed.getPropertyValue(name) !== '');
  }
}

/** An empty rule for the host, in a style sheet of its own: a style attribute would be in the page's way. */
function ownRule(root: HTMLElement | DocumentFragment): CSSStyleRule | null {
  if (!(root instanceof ShadowRoot)) return null;
  const sheet = new CSSStyleSheet();
  sheet.insertRule(':host {}');
  root.adoptedStyleSheets.push(sheet);
  const rule = sheet.cssRules[0];
  return rule instanceof CSSStyleRule ? rule : null;
}
