import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Tracks whether the page is being printed. The host must render before the browser captures the page. */
export class PrintController implements ReactiveController {
  readonly #onChange: () => void;
  #isPrinting = false;

  constructor(host: ReactiveControllerHost, onChange: () => void) {
    this.#onChange = onChange;
    host.addController(this);
  }

  /** True from before the page is printed until after it. */
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
