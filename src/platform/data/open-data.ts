import { Hono } from 'hono';
import type { MetaResponse } from '../../contract/meta.js';
import type { AuthenticateData } from '../auth/authenticate.js';
import type { SecurityContext } from '../auth/principal.js';
import { PlatformError } from '../errors.js';
import type { ConvertedSql } from '../http/route-deps.js';
import { CleanupStack } from '../runtime/cleanup-stack.js';
import type { TaskQueue } from '../runtime/task-queue.js';
import type { QueryCaller, QueryEvent } from './answers/query-event.js';
import { type CallerDataWithSql, createCallerData } from './caller-data.js';
import { type CallerSql, createCallerSql } from './caller-sql.js';
import type { DataServiceOptions } from './data-service.js';
import type { Engine, EngineLoss } from './engines/engine.js';
import { type DataLocation, openEngine } from './engines/open-engine.js';
import { unavailableEngine, VariableEngine } from './engines/variable-engine.js';
import {
  bindUrl,
  type ModelVariables,
  noVariables,
  usesOf,
  type VariableSource,
  VariableTokens,
} from './model/variables.js';
import type { QueryLimits } from './query-limits.js';

/** Dependencies of the Data API routes that their host provides. */
export interface DataApiHooks {
  readonly authenticate: AuthenticateData;
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Called at the end of every request. */
  readonly onQuery?: (event: QueryEvent, caller: QueryCaller | null) => void;
}

/** Current load, cache sizes and model version of a Data API. */
export interface DataState {
  readonly running: number;
  readonly waiting: number;
  readonly cacheBytes: number;
  readonly cacheEntries: number;
  /** `null` if another service owns the model. */
  readonly modelVersion: string | null;
}

/** The Data API of the deployment, including its engine and model. */
export interface DataApi {
  routes(hooks: DataApiHooks): Hono;
  /** Returns in-process access to the data for this caller; `null` without a model. */
  dataOf(context: SecurityContext): CallerDataWithSql | null;
  /** Returns in-process access to semantic SQL for this caller; `null` without a model. */
  sqlOf(context: SecurityContext): CallerSql | null;
  /**
   * Returns the load query that is equivalent to semantic SQL, based on the public part of the current model; `null`
   * without a model.
   * @throws PlatformError as `SemanticModel.convertSql` does.
   */
  convert(text: string): Promise<ConvertedSql | null>;
  /** Returns the public part of the current model; `null` without a model. */
  publicModel(): MetaResponse | null;
  /** Returns the current state; `null` without a model. */
  state(): DataState | null;
  close(): Promise<void>;
}

/** Options for opening the Data API. */
export interface DataApiOptions {
  /** Folder of the semantic model. */
  readonly modelDirectory: string;
  /** Location of the tables' data. */
  readonly place: DataLocation;
  /** Folder that stores imported files for the next start. */
  readonly workDirectory?: string;
  readonly limits: QueryLimits;
  /** Runs statements that occupy threads of this process. Without it, a separate queue does. */
  readonly queue?: TaskQueue;
  /** Opens the environment variables of the deployment. Without it, there are none. */
  readonly openVariables?: () => Promise<VariableSource>;
  readonly onNotice: (message: string) => void;
  /** Called with the reason if changed files cannot be loaded. */
  readonly onProblem: (message: string) => void;
  /** Called if the model cannot be reloaded. */
  readonly onReloadFailure: () => void;
  /** Called when an engine process was lost and replaced. */
  readonly onEngineLoss?: (loss: EngineLoss) => void;
}

/**
 * Opens the engine, compiles the model, and runs trial queries before the first query arrives. The packages are
 * lazy-loaded, so that a platform without a model starts without them.
 * @throws Error that describes the problem of the model (with file and line for each) or of the sources.
 */
export async function openDataApi(options: DataApiOptions): Promise<DataApi> {
  const { modelDirectory, place, workDirectory, onNotice, onProblem, onReloadFailure, onEngineLoss } = options;
  const { queryTimeoutMs, memoryLimit, ...limits } = options.limits;
  const [{ openLiveModel }, { createDataService }, { dataRoutes }] = await Promise.all([
    import('./live-model.js'),
    import('./data-service.js'),
    import('./data-routes.js'),
  ]);
  const cleanUp = new CleanupStack();
  const tokens = new VariableTokens();
  const open = (at: DataLocation) =>
    openEngine(at, { queryTimeoutMs, memoryLimit, workDirectory, onProblem, onEngineLoss });
  try {
    const opening = options.openVariables?.() ?? Promise.resolve(noVariables);
    // The `await` below reports the error after the engine has been opened.
    opening.catch(() => undefined);
    const usesVariables = place.kind === 'postgres' && usesOf(place.url).length > 0;
    const location = usesVariables ? locationWith(place, (await opening).current) : place;
    // The platform starts without the data source, because the service that issues its token may be unavailable.
    const opened = location === null ? unavailableEngine : await open(location);
    const engine = new VariableEngine(opened, tokens);
    cleanUp.add(() => engine.close());
    const source = await opening;
    if (usesVariables) followLocation(place, { source, engine, open, onProblem, current: location });
    const model = await openLiveModel({
      directory: modelDirectory,
      variables: { source, tokens },
      dialect: engine.dialect,
      tables: () => (engine.hasTables ? engine.tables : null),
      prepare: next => service.warm(next),
      onChange: ({ version }) => onNotice(`The semantic model has changed. Serving version ${version}.`),
      onProblem(message) {
        onReloadFailure();
        onProblem(`The semantic model cannot be loaded. ${message}`);
      },
    });
    cleanUp.add(() => model.close());
    const shared = place.kind === 'postgres' ? undefined : options.queue;
    const service = createDataService({ engine, model, onProblem, queue: shared, ...limits, ...concurrencyAt(place) });
    await service.warm();
    return {
      routes: hooks => new Hono({ strict: false }).route('/', dataRoutes({ service, ...hooks })),
      dataOf: context => createCallerData(service, context),
      sqlOf: context => createCallerSql(service, context),
      convert: text => model.current.convertSql(text, null, engine),
      publicModel: () => model.current.meta(null),
      state: () => ({ ...service.stats(), modelVersion: model.current.version }),
      close: () => cleanUp.run(),
    };
  } catch (error) {
    await cleanUp.run();
    throw error;
  }
}

type PostgresLocation = DataLocation & { readonly kind: 'postgres' };

/** Returns a location whose URL contains the values of environment variables; `null` if one is not set. */
function locationWith(place: PostgresLocation, variables: ModelVariables): DataLocation | null {
  const bound = bindUrl(place.url, variables);
  return 'url' in bound ? { ...place, url: bound.url } : null;
}

function unsetIn({ url }: PostgresLocation, variables: ModelVariables): string {
  const bound = bindUrl(url, variables);
  return 'unset' in bound ? bound.unset : '';
}

/**
 * Opens the data source again when a variable in its URL changes. The previous engine stays in use until the new one is
 * open. If a variable is no longer set, such as the token of a deactivated user, no statement runs until it is set
 * again.
 */
function followLocation(
  place: PostgresLocation,
  {
    source,
    engine,
    open,
    onProblem,
    current: opened,
  }: {
    /** The location of the open engine; `null` if none is open. */
    readonly current: DataLocation | null;
    readonly source: VariableSource;
    readonly engine: VariableEngine;
    readonly open: (at: DataLocation) => Promise<Engine>;
    readonly onProblem: (message: string) => void;
  },
): void {
  let current = JSON.stringify(opened);
  const reportUnset = () =>
    onProblem(
      `PA_DATA_SOURCE_URL uses the environment variable ${unsetIn(place, source.current)}, which is not set. No data is served until it is.`,
    );
  if (opened === null) reportUnset();
  let changing = Promise.resolve();
  const follow = () => {
    changing = changing.then(async () => {
      try {
        const next = locationWith(place, source.current);
        if (JSON.stringify(next) === current) return;
        if (next === null) {
          reportUnset();
          await engine.suspend();
        } else {
          await engine.replace(await open(next));
        }
        current = JSON.stringify(next);
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'The data source cannot be opened.';
        onProblem(`The URL of the data source has changed, but the previous one stays in use. ${reason}`);
      }
    });
  };
  source.onChange(follow);
  // The variables may have changed while the data source was being opened.
  follow();
}

/**
 * Returns the concurrency limits of a data source. Postgres runs statements in its own processes, so more can run at
 * once; the limits leave connections of the server to others, such as administrators.
 */
function concurrencyAt({ kind }: DataLocation): Pick<DataServiceOptions, 'concurrency' | 'streams'> {
  return kind === 'postgres' ? { concurrency: 6, streams: 12 } : {};
}

/** The Data API of a platform without a model. */
export const noDataApi: DataApi = {
  routes({ authenticate }) {
    const routes = new Hono({ strict: false });
    routes.all('*', async context => {
      await authenticate(context.req.raw);
      throw new PlatformError(404, 'This platform serves no semantic model. Start it with --model and a data source.');
    });
    return routes;
  },
  dataOf: () => null,
  sqlOf: () => null,
  convert: async () => null,
  publicModel: () => null,
  state: () => null,
  close: async () => {},
};
