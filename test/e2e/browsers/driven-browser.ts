/** What a script in the page takes and returns. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A place in the window, in CSS pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Keys that checks press, by their `KeyboardEvent.key`. */
export type Key = 'Tab' | 'Enter' | 'Escape' | 'ArrowDown' | 'ArrowUp' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

/**
 * One window of a browser. This is all that the checks use, so that one list of them runs in every browser: elements are found by a
 * script in the page (`page-of-elements.ts`), and used by real input at their place.
 */
export interface DrivenBrowser {
  /** Name and version, as the browser reports them. */
  readonly version: string;
  /** Navigates, and resolves when the document is loaded. */
  open(url: string): Promise<void>;
  /** Runs the source text of a function in the page with arguments, and resolves with what it returns. */
  run<T>(source: string, ...args: Json[]): Promise<T>;
  /** Sets the size of the page in CSS pixels. A browser may have a minimum. */
  resize(width: number, height: number): Promise<void>;
  /** Moves the pointer. */
  point(at: Place): Promise<void>;
  /** Clicks with the primary button. */
  click(at: Place): Promise<void>;
  /** Drags with the primary button, in several moves. */
  drag(from: Place, to: Place): Promise<void>;
  press(key: Key): Promise<void>;
  type(text: string): Promise<void>;
  /** A PNG of the window. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}
