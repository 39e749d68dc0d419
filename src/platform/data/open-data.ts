import { Hono } from 'hono';
import type { MetaResponse } from '../../contract/meta.js';
import type { AuthenticateData } from '../auth/authenticate.js';
import type { SecurityContext } from '../auth/principal.js';
import { PlatformError } from '../errors.js';
import type { ConvertedSql } from '../http/route-deps.js';
import { CleanupStack } from '../runtime/cleanup-stack.js';
import type { QueryEvent } from './answers/query-event.js';
import { type CallerData, createCallerData } from './caller-data.js';
import type { DataServiceOptions } from './data-service.js';
import type { EngineLoss } from './engines/engine.js';
import { type DataLocation, openEngine } from './engines/open-engine.js';
import type { QueryLimits } from './query-limits.js';

/** What the routes of the Data API ask of whoever puts them up. */
export interface DataApiHooks {
  readonly authenticate: AuthenticateData;
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Hears of every request when it has ended. */
  readonly onQuery?: (event: QueryEvent) => void;
}

/** What a Data API holds and runs at this moment. */
export interface DataState {
  readonly running: number;
  readonly waiting: number;
  readonly cacheBytes: number;
  readonly cacheEntries: number;
  /** Null where the model is another service's. */
  readonly modelVersion: string | null;
}

/** The Data API of the deployment, with whatever stands behind it. */
export interface DataApi {
  routes(seams: DataApiHooks): Hono;
  /** The data as this caller may see it, for whoever asks within the process; null without a model. */
  dataOf(context: SecurityContext): CallerData | null;
  /**
   * The load query that semantic SQL is equal to, by all that is public in the model of this moment; null without a model.
   * @throws PlatformError as `SemanticModel.convertSql`.
   */
  convert(text: string): Promise<ConvertedSql | null>;
  /** All that is public in the model of this moment; null without a model. */
  publicModel(): MetaResponse | null;
  /** What it does at this moment; null without a model. */
  state(): DataState | null;
  close(): Promise<void>;
}

/** What the Data API is opened on. */
export interface DataApiOptions {
  /** Folder of the semantic model. */
  readonly modelDirectory: string;
  /** Where the rows of its tables are. */
  readonly place: DataLocation;
  /** Keeps what was imported of files for the next start. */
  readonly workDirectory?: string;
  readonly limits: QueryLimits;
  readonly onNotice: (message: string) => void;
  /** Hears why changed files could not be taken in. */
  readonly onProblem: (message: string) => void;
  /** Hears that the model was one of them. */
  readonly onReloadFailure: () => void;
  /** Called when an engine process was lost and replaced. */
  readonly onEngineLoss?: (loss: EngineLoss) => void;
}

/**
 * Opens engine and model and compiles ahead, so that the first query doesn't wait. Their packages are loaded here, so that a
 * platform without a model starts without them.
 * @throws Error that says what is wrong with the model (each place with file and line) or the sources.
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
  try {
    const engine = await openEngine(place, { queryTimeoutMs, memoryLimit, workDirectory, onProblem, onEngineLoss });
    cleanUp.add(() => engine.close());
    const model = await openLiveModel({
      directory: modelDirectory,
      dialect: engine.dialect,
      tables: () => engine.tables,
      prepare: next => service.warm(next),
      onChange: ({ version }) => onNotice(`The semantic model has changed: version ${version} is served.`),
      onProblem(message) {
        onReloadFailure();
        onProblem(`The semantic model has changed, but the version before is served on. ${message}`);
      },
    });
    cleanUp.add(() => model.close());
    const service = createDataService({ engine, model, onProblem, ...limits, ...concurrencyAt(place) });
    await service.warm();
    return {
      routes: seams => new Hono({ strict: false }).route('/', dataRoutes({ service, ...seams })),
      dataOf: context => createCallerData(service, context),
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

/** A server works by itself, and has so many connections for us: some are left for what looks after it. */
function concurrencyAt({ kind }: DataLocation): Pick<DataServiceOptions, 'concurrency' | 'streams'> {
  return kind === 'postgres' ? { concurrency: 6, streams: 12 } : {};
}

/** The Data API of a platform that was started without a model. */
export const noDataApi: DataApi = {
  routes({ authenticate }) {
    const routes = new Hono({ strict: false });
    routes.all('*', async context => {
      await authenticate(context.req.raw);
      throw new PlatformError(
        404,
        'No semantic model is served here: start the platform with --model, and with its data.',
      );
    });
    return routes;
  },
  dataOf: () => null,
  convert: async () => null,
  publicModel: () => null,
  state: () => null,
  close: async () => {},
};
