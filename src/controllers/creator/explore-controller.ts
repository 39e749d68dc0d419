import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { type ModelFacts, modelFacts } from '../../report/controls/model-facts.js';
import { type MemberSource, readModel } from '../../report/explore/members.js';
import { LoadController, type LoadState } from '../load-controller.js';
import type { Problem } from '../problem.js';

/** The parts of the model that are visible to the session. */
export interface ExploredModel {
  readonly sources: readonly MemberSource[];
  readonly facts: ModelFacts;
}

/** Options of an explore controller. */
export interface ExploreOptions {
  readonly source: () => SessionSource | null;
  readonly onProblem: (problem: Problem) => void;
}

const runDelayMs = 120;

/** The model, and the rows of the query that the user builds. A changed query runs after a short pause. */
export class ExploreController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #model: LoadController<'model', ExploredModel>;
  readonly #rows: LoadController<Query, RowSet>;
  #query: Query | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, { source, onProblem }: ExploreOptions) {
    this.#host = host;
    this.#model = new LoadController(host, {
      source,
      key: () => 'model',
      load: async (session, _key, signal) => {
        const meta = await session.meta({ signal });
        return { sources: readModel(meta), facts: modelFacts(meta) };
      },
      onProblem,
    });
    this.#rows = new LoadController(host, {
      source,
      key: () => this.#query,
      load: (session, query, signal) => session.load(query, { signal }),
      isCompatible: () => true,
    });
    host.addController(this);
  }

  get model(): LoadState<ExploredModel> {
    return this.#model.state;
  }

  get rows(): LoadState<RowSet> {
    return this.#rows.state;
  }

  /** The query that the rows were loaded with. */
  get query(): Query | null {
    return this.#query;
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Reloads the model. */
  async reloadModel(): Promise<void> {
    await this.#model.reload();
  }

  /** Runs the query again. */
  async reload(): Promise<void> {
    await this.#rows.reload();
  }

  /** Runs a query after a short pause, or immediately if it is the first one; `null` runs none. */
  run(query: Query | null): void {
    clearTimeout(this.#timer);
    if (JSON.stringify(query) === JSON.stringify(this.#query)) return;
    const start = (): void => {
      this.#query = query;
      this.#host.requestUpdate();
    };
    if (query === null || this.#query === null) start();
    else this.#timer = setTimeout(start, runDelayMs);
  }
}
