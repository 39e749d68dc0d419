/** Arguments and results of scripts in the page. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A position in the window, in CSS pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Keys that checks press, by `KeyboardEvent.key`. */
export type Key = 'Tab' | 'Enter' | 'Escape' | 'ArrowDown' | 'ArrowUp' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

/**
 * One browser window. Checks use only this interface, so they run in every browser: a script in the page finds elements
 * (`page-of-elements.ts`), and real input at their position operates them.
 */
export interface DrivenBrowser {
  /** Name and version, as reported by the browser. */
  readonly version: string;
  /** Navigates, and resolves when the document is loaded. */
  open(url: string): Promise<void>;
  /** Runs the source of a function in the page with arguments, and resolves with its result. */
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
