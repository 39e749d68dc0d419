import type { Problem } from '../../../controllers/problem.js';

/** Whether a tile has come to rest, and how: each rest is told once. */
export class TileRest {
  readonly #tell: (problem: Problem | null) => void;
  #told: Problem | null | undefined;
  #settle: () => void = () => {};
  #settled: Promise<void>;

  constructor(tell: (problem: Problem | null) => void) {
    this.#tell = tell;
    this.#settled = this.#unsettled();
  }

  /** Resolves when the tile has come to rest, or holds something else. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** How it came to rest; null while it has not. */
  get state(): 'shown' | 'failed' | null {
    return this.#told === undefined ? null : this.#told === null ? 'shown' : 'failed';
  }

  /** It holds something else: whoever waited for what was there waits no longer. */
  begin(): void {
    this.again();
    this.release();
    this.#settled = this.#unsettled();
  }

  /** What is there is loaded again: its next rest is told. */
  again(): void {
    this.#told = undefined;
  }

  /** It has come to rest: with null when it shows what it holds or was stopped, with the problem when it can't. */
  come(problem: Problem | null): void {
    this.release();
    if (problem === this.#told) return;
    this.#told = problem;
    this.#tell(problem);
  }

  /** Nobody waits any longer. */
  release(): void {
    this.#settle();
  }

  #unsettled(): Promise<void> {
    return new Promise(resolve => {
      this.#settle = resolve;
    });
  }
}
