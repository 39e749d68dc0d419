import type { ReactiveController } from 'lit';
import type { AppConfig } from '../../contract/app-config.js';
import type { SessionSource } from '../session/session-context.js';
import type { ThemedHost, ThemeStyle } from './theme-style.js';

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

/**
 * Keeps the themes that the page doesn't set itself on an element. What reads them and puts them in force is a chunk of its own
 * (`theme-style.ts`): an element without a theme never loads it.
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
    if (seen.some(theme => theme) || this.#style) this.#follow();
  }

  hostUpdated(): void {
    this.#isShown ||= this.#loading === null && Boolean(this.#options.dashboard());
  }

  #follow(): void {
    if (this.#style) this.#use(this.#style);
    else this.#loading ??= this.#load();
  }

  /** Where it can't be loaded the element has the look of the house. */
  async #load(): Promise<void> {
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
