import { Hono } from 'hono';
import type { AuthenticateData } from './auth/authenticate.js';
import { PlatformError } from './errors.js';

/** What the routes of the Data API ask of whoever puts them up. */
export interface DataApiSeams {
  readonly authenticate: AuthenticateData;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** The Data API of the deployment, with whatever stands behind it. */
export interface DataApi {
  routes(seams: DataApiSeams): Hono;
  close(): Promise<void>;
}

/** What the Data API is opened on. */
export interface DataApiOptions {
  /** Folder of the semantic model and folder of the files that its tables are named after. */
  readonly modelDirectory: string;
  readonly sourcesDirectory: string;
  /** Keeps what was imported for the next start. */
  readonly workDirectory?: string;
  readonly onNotice: (message: string) => void;
}

/**
 * Opens engine and model and compiles ahead, so that the first query doesn't wait. Their packages are loaded here, so that a
 * platform without a model starts without them.
 * @throws Error that says what is wrong with the model (each place with file and line) or the sources.
 */
export async function openDataApi(options: DataApiOptions): Promise<DataApi> {
  const { modelDirectory, sourcesDirectory, workDirectory, onNotice } = options;
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
    const service = createDataService({ engine, model: { current: model } });
    await service.warm();
    return {
      routes: seams => new Hono({ strict: false }).route('/', dataRoutes({ service, ...seams })),
      close: () => engine.close(),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The Data API of a platform that was started without a model. */
export const noDataApi: DataApi = {
  routes({ authenticate }) {
    const routes = new Hono({ strict: false });
    routes.all('*', async context => {
      await authenticate(context.req.raw);
      throw new PlatformError(404, 'No semantic model is served here: start the platform with --model and --sources.');
    });
    return routes;
  },
  close: async () => {},
};
