import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatService } from '../../client/chat/chat-service.js';
import type { ChatThread } from '../../contract/chat.js';

/** Status of a list of threads. */
export type ThreadListStatus = 'idle' | 'loading' | 'ready' | 'failed' | 'unavailable';

/** Options of a thread list. */
export interface ThreadListOptions {
  readonly service: () => ChatService | null;
  /** A different number means that the list may have changed and must be reloaded. */
  readonly revision: () => number;
}

/** The threads of a caller, page by page, with rename and delete. The list is cleared when the service changes. */
export class ThreadListController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: ThreadListOptions;
  #service: ChatService | null = null;
  #revision = -1;
  #reading: AbortController | null = null;
  #status: ThreadListStatus = 'idle';
  #threads: readonly ChatThread[] = [];
  #next: string | null = null;
  #failedAction = false;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: ThreadListOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Status of the list. */
  get status(): ThreadListStatus {
    return this.#status;
  }

  /** The threads read so far, latest first. */
  get threads(): readonly ChatThread[] {
    return this.#threads;
  }

  /** Whether there are more threads. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Whether the last rename or delete failed. */
  get failedAction(): boolean {
    return this.#failedAction;
  }

  hostUpdate(): void {
    if (!this.#host.isConnected) return;
    const service = this.#options.service();
    const revision = this.#options.revision();
    if (service !== this.#service) {
      this.#threads = [];
      this.#next = null;
    } else if (revision === this.#revision) return;
    this.#service = service;
    this.#revision = revision;
    void this.reload();
  }

  hostDisconnected(): void {
    this.#reading?.abort();
    this.#service = null;
    this.#revision = -1;
  }

  /** Reloads the first page. Keeps the current list until it has arrived. */
  async reload(): Promise<void> {
    this.#reading?.abort();
    const service = this.#service;
    if (!service) return this.#show('idle');
    await this.#read(service, undefined, items => items);
  }

  /** Reads the next page. */
  async more(): Promise<void> {
    if (!this.#service || this.#next === null || this.#status === 'loading') return;
    await this.#read(this.#service, this.#next, items => {
      const known = new Set(this.#threads.map(({ id }) => id));
      return [...this.#threads, ...items.filter(({ id }) => !known.has(id))];
    });
  }

  /** Renames a thread. */
  async rename(id: string, title: string): Promise<void> {
    await this.#act(async service => {
      const renamed = await service.rename(id, title);
      this.#threads = this.#threads.map(thread => (thread.id === id ? renamed : thread));
    });
  }

  /**
   * Deletes a thread.
   * @returns whether that succeeded.
   */
  async remove(id: string): Promise<boolean> {
    return this.#act(async service => {
      await service.remove(id);
      this.#threads = this.#threads.filter(thread => thread.id !== id);
    });
  }

  async #read(
    service: ChatService,
    after: string | undefined,
    merge: (items: readonly ChatThread[]) => readonly ChatThread[],
  ): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    this.#show('loading');
    try {
      const page = await service.threads({ after, signal: reading.signal });
      if (reading.signal.aborted || service !== this.#service) return;
      this.#threads = page ? merge(page.items) : [];
      this.#next = page?.next ?? null;
      this.#show(page ? 'ready' : 'unavailable');
    } catch {
      if (!reading.signal.aborted && service === this.#service) this.#show('failed');
    }
  }

  async #act(work: (service: ChatService) => Promise<void>): Promise<boolean> {
    const service = this.#service;
    if (!service) return false;
    let failed = false;
    try {
      await work(service);
    } catch {
      failed = true;
    }
    if (service !== this.#service) return false;
    this.#failedAction = failed;
    this.#host.requestUpdate();
    return !failed;
  }

  #show(status: ThreadListStatus): void {
    this.#status = status;
    this.#host.requestUpdate();
  }
}
