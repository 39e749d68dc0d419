import { Hono } from 'hono';
import type { AuthenticateData } from './auth/authenticate.js';
import { PlatformError } from './errors.js';

/** The Data API of the deployment, with whatever stands behind it. */
export interface DataApi {
  readonly routes: Hono;
  close(): Promise<void>;
}

/** What the Data API is opened on. */
export interface DataApiOptions {
  /** Folder of the semantic model; without it every query is refused with a sentence that says so. */
  readonly modelDirectory?: string;
  /** Folder of the files that the model's tables are named after. */
  readonly sourcesDirectory?: string;
  /** Keeps what was imported for the next start. */
  readonly workDirectory?: string;
  readonly authenticate: AuthenticateData;
  readonly onFailure: (error: unknown, requestId: string) => void;
  readonly onNotice: (message: string) => void;
}

const nobody = { platform: { groups: [], userAttributes: {} } };

/**
 * Opens engine and model and compiles ahead, so that the first query doesn't wait. Their packages are loaded here and only
 * when there is a model.
 * @throws Error that says what is wrong with the model (each place with file and line) or the sources.
 */
export async function openDataApi(options: DataApiOptions): Promise<DataApi> {
  const { modelDirectory, sourcesDirectory, workDirectory, onFailure, onNotice } = options;
  if (modelDirectory === undefined) return { routes: withoutModel(options.authenticate), close: async () => {} };
  if (sourcesDirectory === undefined) {
    throw new Error('A model needs its data: give the folder of the source files (--sources) too.');
  }
  const [{ openDuckDbEngine }, { compileModel }, { createDataService }, { dataRoutes }] = await Promise.all([
    import('./data/duckdb/open-duckdb-engine.js'),
    import('./data/model/compile-model.js'),
    import('./data/data-service.js'),
    import('./routes/data.js'),
  ]);
  const engine = await openDuckDbEngine({
    sources: sourcesDirectory,
    onProblem: onNotice,
    ...(workDirectory !== undefined && { workDirectory }),
  });
  try {
    const model = await compileModel({ directory: modelDirectory, tables: engine.tables });
    const service = createDataService({ engine, model });
    await service.warm(nobody);
    const routes = new Hono({ strict: false });
    routes.route('/', dataRoutes({ service, authenticate: options.authenticate, onFailure }));
    return { routes, close: () => engine.close() };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function withoutModel(authenticate: AuthenticateData): Hono {
  const routes = new Hono({ strict: false });
  routes.all('*', async context => {
    await authenticate(context.req.raw);
    throw new PlatformError(404, 'No semantic model is served here: start the platform with --model and --sources.');
  });
  return routes;
}
