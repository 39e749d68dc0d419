import type { DashboardState } from '../report/dashboard-state.js';
import { readUrlState, type UrlScope, writeUrlState } from '../report/url-state.js';

/** How long the address waits for further choices, in ms. */
const pause = 200;

/** Keeps what the viewer has chosen in the address of the page, in the entry of its history that there is. */
export class UrlState {
  readonly #onNavigate: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onNavigate - called when the viewer went back or forth to another state of the same page. */
  constructor(onNavigate: () => void) {
    this.#onNavigate = onNavigate;
  }

  connect(): void {
    addEventListener('popstate', this.#onNavigate);
  }

  disconnect(): void {
    removeEventListener('popstate', this.#onNavigate);
    // The page may be about another thing by now.
    clearTimeout(this.#timer);
  }

  read(scope: UrlScope, state: DashboardState): DashboardState {
    return readUrlState(location.search, scope, state);
  }

  write(scope: UrlScope, state: DashboardState): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const search = writeUrlState(location.search, scope, state);
      if (search === location.search) return;
      try {
        history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`);
      } catch {
        // Browsers refuse it to documents without an address of their own, and to those who do it too often.
      }
    }, pause);
  }
}
