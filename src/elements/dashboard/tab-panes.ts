/**
 * Knows what tabs of a dashboard have shown. A tab draws nothing until it is opened; after that what it drew stays, with its rows and
 * its scroll positions, but follows nothing that changes until it is opened again.
 */
export class TabPanes {
  readonly #opened = new Set<string>();
  /** What each pane was drawn for last. */
  readonly #drawnFor = new Map<string, unknown>();
  #source: unknown = null;

  /** Whether a tab was opened once. */
  wasOpened(key: string): boolean {
    return this.#opened.has(key);
  }

  /** What to do with a tab that is open or not, on a dashboard that is drawn for `list`. */
  pane(key: string, isOpen: boolean, list: unknown): 'draw' | 'keep' | 'nothing' {
    if (isOpen) this.#opened.add(key);
    if (!this.#opened.has(key)) return 'nothing';
    if (!isOpen && this.#drawnFor.get(key) === list) return 'keep';
    this.#drawnFor.set(key, list);
    return 'draw';
  }

  /** Who tiles ask is followed by all tabs that were opened: whoever waits for a tile waits for its rows. */
  follow(source: unknown): void {
    if (source === this.#source) return;
    this.#source = source;
    this.#drawnFor.clear();
  }

  /** Has tabs drawn, as things stand now. */
  open(keys: readonly string[]): void {
    this.#drawnFor.clear();
    for (const key of keys) this.#opened.add(key);
  }

  /** Another dashboard. */
  reset(): void {
    this.#opened.clear();
    this.#drawnFor.clear();
  }
}
