/**
 * Tracks which tabs of a dashboard were opened. A tab renders when it is first opened. After that it keeps its rows and
 * scroll positions, but is not updated while it is closed.
 */
export class TabPanes {
  readonly #opened = new Set<string>();
  /** The widget list for which each pane was last rendered. */
  readonly #drawnFor = new Map<string, unknown>();
  #source: unknown = null;

  /** Whether a tab was opened at least once. */
  wasOpened(key: string): boolean {
    return this.#opened.has(key);
  }

  /** Returns what to render for a tab, given the current widget list. */
  pane(key: string, list: unknown, { isOpen }: { readonly isOpen: boolean }): 'draw' | 'keep' | 'nothing' {
    if (isOpen) this.#opened.add(key);
    if (!this.#opened.has(key)) return 'nothing';
    if (!isOpen && this.#drawnFor.get(key) === list) return 'keep';
    this.#drawnFor.set(key, list);
    return 'draw';
  }

  /**
   * Re-renders all opened tabs when the session source changes, because callers may be waiting for rows of their tiles.
   */
  follow(source: unknown): void {
    if (source === this.#source) return;
    this.#source = source;
    this.#drawnFor.clear();
  }

  /** Marks tabs as opened and re-renders them. */
  open(keys: readonly string[]): void {
    this.#drawnFor.clear();
    for (const key of keys) this.#opened.add(key);
  }

  /** Resets the state for another dashboard. */
  reset(): void {
    this.#opened.clear();
    this.#drawnFor.clear();
  }
}
