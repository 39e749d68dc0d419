import type { ReactiveController } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import type { SessionSource } from '../session/session-context.js';
import type { ThemedHost, ThemeStyle } from './theme-style.js';

/** Options of a theme controller. */
export interface ThemeOptions {
  readonly source: () => SessionSource | null;
  /** The element's own theme. */
  readonly own: () => unknown;
  /** Theme of the current dashboard. */
  readonly dashboard: () => unknown;
  /** The account's configuration; `null` until it is loaded. */
  readonly account: () => AppConfig | null;
}

/**
 * Applies the themes of an element. CSS of the page takes precedence over them. `theme-style.ts`, which parses and
 * applies them, is lazy-loaded, so that elements without a theme never load it.
 */
export class ThemeController implements ReactiveController {
  readonly #host: ThemedHost;
  readonly #options: ThemeOptions;
  #seen: readonly unknown[] = [];
  #style: ThemeStyle | null = null;
  #loading: Promise<void> | null = null;
  #isShown = false;

  constructor(host: ThemedHost, options: ThemeOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether the first theme is still loading. Rendering now would show the element in the wrong colors. */
  get pending(): boolean {
    return this.#loading !== null && !this.#isShown;
  }

  hostUpdate(): void {
    const { source, own, dashboard } = this.#options;
    const account = this.#options.account();
    const seen = [own(), source()?.embedTheme, dashboard(), account?.applyThemeGlobally ? account : null];
    if (seen.every((value, index) => value === this.#seen[index])) return;
    this.#seen = seen;
    if (seen.some(theme => theme) || this.#style) this.#follow();
  }

  hostUpdated(): void {
    this.#isShown ||= this.#loading === null && Boolean(this.#options.dashboard());
  }

  #follow(): void {
    if (this.#style) this.#use(this.#style);
    else this.#loading ??= this.#load();
  }

  async #load(): Promise<void> {
    // If loading fails, the element keeps the default theme.
    const module = await import('./theme-style.js').catch(() => null);
    this.#style = module && new module.ThemeStyle(this.#host);
    this.#loading = null;
    if (this.#style) this.#use(this.#style);
    this.#host.requestUpdate();
  }

  #use(style: ThemeStyle): void {
    const [element, session, dashboard] = this.#seen;
    style.use({ element, session, dashboard, account: this.#options.account() });
  }
}
