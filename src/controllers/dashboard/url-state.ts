import type { DashboardState } from '../../report/controls/dashboard-state.js';
import { readUrlState, type UrlScope, writeUrlState } from '../../report/controls/url-state.js';

/** Minimum time between writes to the URL in ms, because browsers reject frequent changes. */
const writePauseMs = 200;

/** Stores the viewer's choices in the page's URL, replacing the current history entry. */
export class UrlState {
  readonly #onNavigate: () => void;
  /** Set for a short time after a write. */
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The pending write, and the URL for which it was scheduled. */
  #pending: { readonly write: () => boolean; readonly at: string } | null = null;

  /** @param onNavigate - called when the viewer navigated to another state of the same page. */
  constructor(onNavigate: () => void) {
    this.#onNavigate = onNavigate;
  }

  connect(): void {
    addEventListener('popstate', this.#handleNavigation);
  }

  disconnect(): void {
    removeEventListener('popstate', this.#handleNavigation);
    // The page may have navigated away.
    if (this.#pending?.at !== location.href) this.#pending = null;
    this.#settle();
  }

  read(scope: UrlScope, state: DashboardState): DashboardState {
    return readUrlState(location.search, scope, state);
  }

  /** Writes immediately; of frequent changes, only the last one is written, after `writePauseMs`. */
  write(scope: UrlScope, state: DashboardState): void {
    const write = (): boolean => replaceSearch(writeUrlState(location.search, scope, state));
    if (this.#timer === null) {
      if (!write()) return;
    } else {
      clearTimeout(this.#timer);
      this.#pending = { write, at: location.href };
    }
    this.#timer = setTimeout(() => this.#settle(), writePauseMs);
  }

  #settle(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#pending?.write();
    this.#pending = null;
  }

  /** Discards a pending write, because it belongs to the previous history entry. */
  readonly #handleNavigation = (): void => {
    this.#pending = null;
    this.#onNavigate();
  };
}

/** Returns `false` if the URL is already up to date. */
function replaceSearch(search: string): boolean {
  if (search === location.search) return false;
  try {
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`);
  } catch {
    // Ignore the error. Browsers reject writes in documents without a URL, and after too many calls.
  }
  return true;
}
