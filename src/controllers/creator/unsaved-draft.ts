import type { DashboardConfig } from '../../contract/dashboards.js';
import type { Draft } from './workbook-service.js';

/** A draft that was not stored when its editor was removed. */
interface UnsavedDraft {
  /** Key of the user and the workbook. */
  readonly key: string;
  readonly config: DashboardConfig;
  /** The stored draft that the user has changed. */
  readonly stored: Draft;
}

/**
 * Keeps the last draft that could not be stored, such as when the session ended, until an editor of the same user and
 * workbook takes it. The page holds it in memory only.
 */
export class UnsavedDrafts {
  #draft: UnsavedDraft | null = null;

  /** Replaces the draft. */
  keep(draft: UnsavedDraft): void {
    this.#draft = draft;
  }

  /** Returns the draft of a user and workbook, and removes it; `null` if there is none. */
  take(key: string): UnsavedDraft | null {
    const found = this.#draft?.key === key ? this.#draft : null;
    if (found) this.#draft = null;
    return found;
  }
}
