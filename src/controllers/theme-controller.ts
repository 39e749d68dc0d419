import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AppConfig } from '../contract/app-config.js';
import type { ThemeTokens } from '../report/theme.js';
import type { SessionSource } from './session-context.js';

/** What a theme controller needs from its host. */
export interface ThemeOptions {
  readonly source: () => SessionSource | null;
  /** The element's own theme. */
  readonly own: () => unknown;
  /** The theme of the dashboard that is shown. */
  readonly dashboard: () => unknown;
  /** The account's configuration; null until it is there. */
  readonly account: () => AppConfig | null;
}

/** What an element whose theme is kept has, beside what every element has. */
export type ThemedHost = ReactiveControllerHost & HTMLElement & { readonly renderRoot: HTMLElement | DocumentFragment };

type Themes = Pick<typeof import('../report/theme.js'), 'schemeOf' | 'themeTokens'>;

/**
 * Keeps the themes that the page doesn't set itself (`report/theme.ts`) on an element: as private custom properties in a style sheet of
 * its own, below the page's `--pa-*`. An element without a theme has no such sheet, and never loads what reads themes.
 */
export class ThemeController implements ReactiveController {
  readonly #host: ThemedHost;
  readonly #options: ThemeOptions;
  #seen: readonly unknown[] = [];
  #themes: Themes | null = null;
  #loading: Promise<void> | null = null;
  #isShown = false;
  #rule: CSSStyleRule | null = null;

  constructor(host: ThemedHost, options: ThemeOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** What reads the first theme is on its way: until then the element would show in other colours than it will have. */
  get pending(): boolean {
    return this.#loading !== null && !this.#isShown;
  }

  hostUpdate(): void {
    const { source, own, dashboard } = this.#options;
    const account = this.#options.account();
    const seen = [own(), source()?.embedTheme, dashboard(), account?.applyThemeGlobally ? account : null];
    if (seen.every((value, index) => value === this.#seen[index])) return;
    this.#seen = seen;
    if (seen.some(theme => theme) || this.#rule) this.#follow();
  }

  hostUpdated(): void {
    this.#isShown ||= this.#loading === null && Boolean(this.#options.dashboard());
  }

  #follow(): void {
    if (this.#themes) this.#use(this.#themes);
    else this.#loading ??= this.#load();
  }

  /** Where it can't be loaded the element has the look of the house. */
  async #load(): Promise<void> {
    const themes = await import('../report/theme.js').catch(() => null);
    this.#themes = themes;
    this.#loading = null;
    if (themes) this.#use(themes);
    this.#host.requestUpdate();
  }

  #use({ themeTokens, schemeOf }: Themes): void {
    const [element, session, dashboard] = this.#seen;
    const sources = { element, session, dashboard, account: this.#options.account() };
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
