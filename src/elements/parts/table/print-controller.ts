import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Knows whether the page is being printed: what is drawn then must stand before the browser takes it. */
export class PrintController implements ReactiveController {
  readonly #onChange: () => void;
  #isPrinting = false;

  constructor(host: ReactiveControllerHost, onChange: () => void) {
    this.#onChange = onChange;
    host.addController(this);
  }

  /** From before the page is printed until after it. */
  get isPrinting(): boolean {
    return this.#isPrinting;
  }

  hostConnected(): void {
    addEventListener('beforeprint', this.#begin);
    addEventListener('afterprint', this.#end);
  }

  hostDisconnected(): void {
    removeEventListener('beforeprint', this.#begin);
    removeEventListener('afterprint', this.#end);
    this.#isPrinting = false;
  }

  readonly #begin = (): void => {
    this.#isPrinting = true;
    this.#onChange();
  };

  readonly #end = (): void => {
    this.#isPrinting = false;
    this.#onChange();
  };
}
