import type { DashboardState } from '../../report/controls/dashboard-state.js';
import { readUrlState, type UrlScope, writeUrlState } from '../../report/controls/url-state.js';

/** How long the address waits for further choices where one has just come, in ms: browsers refuse what changes it too often. */
const pause = 200;

/** Keeps what the viewer has chosen in the address of the page, in the entry of its history that there is. */
export class UrlState {
  readonly #onNavigate: () => void;
  /** Runs while a choice has just come. */
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** What is still to be written, and the address that it was chosen at. */
  #late: { readonly write: () => boolean; readonly at: string } | null = null;

  /** @param onNavigate - called when the viewer went back or forth to another state of the same page. */
  constructor(onNavigate: () => void) {
    this.#onNavigate = onNavigate;
  }

  connect(): void {
    addEventListener('popstate', this.#handleNavigation);
  }

  disconnect(): void {
    removeEventListener('popstate', this.#handleNavigation);
    // The page may be about another thing by now.
    if (this.#late?.at !== location.href) this.#late = null;
    this.#settle();
  }

  read(scope: UrlScope, state: DashboardState): DashboardState {
    return readUrlState(location.search, scope, state);
  }

  /** Writes at once, but of choices that come close together the last alone. */
  write(scope: UrlScope, state: DashboardState): void {
    const write = (): boolean => replaceSearch(writeUrlState(location.search, scope, state));
    if (this.#timer === null) {
      if (!write()) return;
    } else {
      clearTimeout(this.#timer);
      this.#late = { write, at: location.href };
    }
    this.#timer = setTimeout(() => this.#settle(), pause);
  }

  #settle(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#late?.write();
    this.#late = null;
  }

  /** What was chosen before belongs to the entry that the viewer has left. */
  readonly #handleNavigation = (): void => {
    this.#late = null;
    this.#onNavigate();
  };
}

/** False where the address says it already. */
function replaceSearch(search: string): boolean {
  if (search === location.search) return false;
  try {
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`);
  } catch {
    // Browsers refuse it to documents without an address of their own, and to those who do it too often.
  }
  return true;
}
