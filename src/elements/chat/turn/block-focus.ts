import { focusByKey } from '../../parts/focus-by-key.js';

const steps: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowDown: from => from + 1,
  ArrowUp: from => from - 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Moves focus between the blocks of an answer with arrow keys; only the focused block has a `tabindex`. */
export class BlockFocus {
  readonly #blocks: () => readonly HTMLElement[];

  constructor(blocks: () => readonly HTMLElement[]) {
    this.#blocks = blocks;
  }

  /** Focuses the first block; returns `false` if there is none. */
  enter(): boolean {
    const [first] = this.#blocks();
    if (first) focus(first);
    return first !== undefined;
  }

  /** Moves focus from the focused block. Returns `false` for other keys, and for keys pressed inside a block. */
  handleKey(event: KeyboardEvent): boolean {
    const step = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ? undefined : steps[event.key];
    const blocks = this.#blocks();
    const [inner] = event.composedPath();
    const from = inner instanceof HTMLElement ? blocks.indexOf(inner) : -1;
    if (!step || from < 0) return false;
    event.preventDefault();
    const next = blocks[step(from, blocks.length - 1)];
    if (next) focus(next);
    return true;
  }
}

function focus(block: HTMLElement): void {
  // Elements that are focusable themselves, such as a scrolling table, keep their `tabindex`.
  if (!block.hasAttribute('tabindex')) {
    block.tabIndex = -1;
    block.addEventListener('blur', () => block.removeAttribute('tabindex'), { once: true });
  }
  focusByKey(block);
}
