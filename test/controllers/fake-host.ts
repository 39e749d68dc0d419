import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** A host without a page. Updates on request of a controller, as an element does. */
export class FakeHost implements ReactiveControllerHost {
  isConnected = false;
  updates = 0;
  readonly #controllers: ReactiveController[] = [];
  #pending: Promise<boolean> | null = null;

  addController(controller: ReactiveController): void {
    this.#controllers.push(controller);
  }

  removeController(): void {}

  requestUpdate(): void {
    this.#pending ??= Promise.resolve().then(() => this.#update());
  }

  get updateComplete(): Promise<boolean> {
    return this.#pending ?? Promise.resolve(true);
  }

  connect(): void {
    this.isConnected = true;
    for (const controller of this.#controllers) controller.hostConnected?.();
    this.requestUpdate();
  }

  disconnect(): void {
    this.isConnected = false;
    for (const controller of this.#controllers) controller.hostDisconnected?.();
  }

  #update(): boolean {
    this.#pending = null;
    this.updates += 1;
    for (const controller of this.#controllers) controller.hostUpdate?.();
    for (const controller of this.#controllers) controller.hostUpdated?.();
    return true;
  }
}
