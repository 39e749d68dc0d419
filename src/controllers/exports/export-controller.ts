export { exportFromHost } from '../../client/exports/host-export.js';

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PageExport } from '../../contract/dashboard-exports.js';
import { type Problem, toProblem } from '../problem.js';

/** An export that runs or has failed. */
export interface ExportJob {
  readonly id: number;
  readonly title: string;
  readonly format: PageExport['format'];
  /** Progress, from 0 to 1. */
  readonly progress: number;
  /** Reason why it failed; `null` while it runs. */
  readonly problem: Problem | null;
}

/** An export to start. */
export interface ExportStart {
  readonly title: string;
  readonly format: PageExport['format'];
  /** Creates the file; the signal cancels this. */
  readonly make: (options: {
    readonly signal: AbortSignal;
    /** Called with the progress, from 0 to 1. */
    readonly onProgress: (share: number) => void;
  }) => Promise<Blob>;
}

/** Runs exports, and keeps failed ones until they are dismissed. Cancels all if the element is removed. */
export class ExportController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #running = new Map<number, AbortController>();
  #jobs: readonly ExportJob[] = [];
  #lastId = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Exports that run or have failed, oldest first. */
  get jobs(): readonly ExportJob[] {
    return this.#jobs;
  }

  hostDisconnected(): void {
    // If the element was only moved, it is reconnected before this microtask runs.
    queueMicrotask(() => {
      if (this.#isRemoved()) for (const { id } of this.#jobs) this.end(id);
    });
  }

  /** Runs an export and returns its file; `null` if it was canceled or failed. */
  async run({ title, format, make }: ExportStart): Promise<Blob | null> {
    this.#lastId += 1;
    const id = this.#lastId;
    const canceled = new AbortController();
    this.#running.set(id, canceled);
    this.#set([...this.#jobs, { id, title, format, progress: 0, problem: null }]);
    try {
      const onProgress = (progress: number) => this.#change(id, { progress });
      const file = await make({ signal: canceled.signal, onProgress });
      if (canceled.signal.aborted) return null;
      this.end(id);
      return file;
    } catch (error) {
      if (!canceled.signal.aborted) this.#change(id, { problem: toProblem(error) });
      return null;
    } finally {
      this.#running.delete(id);
    }
  }

  /** Cancels an export, or dismisses a failed one. */
  end(id: number): void {
    this.#running.get(id)?.abort();
    this.#set(this.#jobs.filter(job => job.id !== id));
  }

  #isRemoved(): boolean {
    return !(this.#host instanceof Element && this.#host.isConnected);
  }

  #change(id: number, change: Partial<ExportJob>): void {
    this.#set(this.#jobs.map(job => (job.id === id ? { ...job, ...change } : job)));
  }

  #set(jobs: readonly ExportJob[]): void {
    this.#jobs = jobs;
    this.#host.requestUpdate();
  }
}
