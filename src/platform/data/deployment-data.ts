import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { MetaResponse } from '../../contract/meta.js';
import { defaultDeploymentId, type ModelTarget, productionOf, targetKey, targetOf } from '../auth/model-target.js';
import type { SecurityContext } from '../auth/principal.js';
import { PlatformError } from '../errors.js';
import type { ConvertedSql, GenerateOptions, ModelCheck } from '../http/route-deps.js';
import { ResourcePool } from '../runtime/resource-pool.js';
import type { TaskQueue } from '../runtime/task-queue.js';
import type { AnswerBody } from './answers/answer-body.js';
import type { LoadOptions } from './answers/load-requests.js';
import { type CallerDataWithSql, createCallerData } from './caller-data.js';
import { type CallerSql, createCallerSql } from './caller-sql.js';
import type { DataAnswers } from './data-service.js';
import type { CheckedEngine } from './engines/checked-engine.js';
import type { Engine } from './engines/engine.js';
import { VariableEngine } from './engines/variable-engine.js';
import { ModelCaches } from './model/model-caches.js';
import { ModelError } from './model/model-error.js';
import type { ModelText } from './model/model-files.js';
import { type ModelVariables, revisionOf, VariableTokens } from './model/variables.js';
import type { DataApi, DataApiHooks } from './open-data.js';
import type { SemanticModel } from './semantic-model.js';

/** One version of a model in a repository. */
export interface ModelVersion {
  /** Identifies the content of the files. */
  readonly id: string;
  /** Reads the files, sorted by name. */
  readonly read: () => Promise<readonly ModelText[]>;
}

/** Access to the models of the deployments that have a repository. */
export interface ModelRepositories {
  /**
   * Returns the current version of a model.
   * @throws PlatformError 404 if the deployment or the branch does not exist.
   */
  find(target: ModelTarget): Promise<ModelVersion>;
  /** Opens the engine on the source tables of a deployment. */
  openEngine(deploymentId: number): Promise<Engine>;
  /** Returns the current environment variables of a deployment. */
  variablesOf(deploymentId: number): Promise<ModelVariables>;
}

/** The result of compiling a version of a model. */
export interface ModelEvent {
  readonly target: ModelTarget;
  /** Commit of the version. */
  readonly version: string;
  readonly ms: number;
  /** Problems of a model that does not compile; `null` otherwise. */
  readonly problem: string | null;
}

/** Options of the data of all deployments. */
export interface DeploymentDataOptions {
  /** The Data API of the folder deployment. */
  readonly folder: DataApi;
  /** Models of the other deployments; `null` if the platform has no folder for them. */
  readonly repositories: ModelRepositories | null;
  /** Runs the statements of all models, which occupy threads of this process. */
  readonly queue: TaskQueue;
  readonly onProblem: (message: string) => void;
  /** Called when a version of a model was compiled, or does not compile. */
  readonly onModel?: (event: ModelEvent) => void;
}

/** Maximum number of open engines, each with its own memory. */
const maxEngines = 6;
/** Maximum number of compiled models. */
const maxModels = 24;
/** Maximum number of compiled models of one deployment, so that its branches cannot displace all others. */
const maxModelsOfDeployment = 12;
/** Size of the caches of one model in bytes. */
const cacheBytes = 8 * 1024 * 1024;

interface OpenModel {
  readonly model: SemanticModel;
  readonly engine: Engine;
  readonly service: DataAnswers;
}

interface ModelKey {
  readonly target: ModelTarget;
  readonly version: ModelVersion;
  readonly engine: Engine;
  readonly variables: ModelVariables;
}

/**
 * The data of all deployments. Each deployment has its own engine, and each version of a branch has its own compiled
 * model with its own caches, so that nothing is shared between deployments or branches. Engines and models are opened
 * on first use. The least recently used ones are closed if there are too many.
 */
export class DeploymentData {
  readonly #options: DeploymentDataOptions;
  readonly #engines: ResourcePool<number, CheckedEngine>;
  readonly #models: ResourcePool<ModelKey, OpenModel>;
  /** Numbers of the open engines, because a reopened engine must not be used with models of the previous one. */
  readonly #engineIds = new WeakMap<Engine, number>();
  #lastEngineId = 0;
  readonly #caches = new ModelCaches();

  constructor(options: DeploymentDataOptions) {
    this.#options = options;
    this.#engines = new ResourcePool({
      maxOpen: maxEngines,
      nameOf: String,
      open: deploymentId => this.#openEngine(deploymentId),
      close: engine => engine.close(),
      busy,
    });
    this.#models = new ResourcePool({
      maxOpen: maxModels,
      groups: { maxOpen: maxModelsOfDeployment, groupOf: ({ target }) => String(target.deploymentId) },
      nameOf: key => this.#nameOf(key),
      open: key => this.#openModel(key),
      close: async () => undefined,
      busy,
    });
  }

  /** Whether any deployment can have a model. */
  get hasModels(): boolean {
    return this.#options.folder.dataOf(noContext) !== null || this.#options.repositories !== null;
  }

  /** Returns the routes of the Data API of the deployments with a repository; `null` if there are none. */
  async routes(hooks: DataApiHooks): Promise<Hono | null> {
    if (!this.#options.repositories) return null;
    const { dataRoutes } = await import('./data-routes.js');
    const service = (caller: Parameters<typeof targetOf>[0]) => this.#answersOf(targetOf(caller));
    return new Hono({ strict: false }).route('/', dataRoutes({ service, ...hooks }));
  }

  /** Returns in-process access to the data of a model for a caller; `null` if the deployment has no model. */
  dataOf(context: SecurityContext, target: ModelTarget): CallerDataWithSql | null {
    if (isFolder(target)) return this.#options.folder.dataOf(context);
    return this.#options.repositories && createCallerData(this.#answersOf(target), context);
  }

  /** Returns in-process access to semantic SQL for a caller; `null` if the deployment has no model. */
  sqlOf(context: SecurityContext, target: ModelTarget): CallerSql | null {
    if (isFolder(target)) return this.#options.folder.sqlOf(context);
    return this.#options.repositories && createCallerSql(this.#answersOf(target), context);
  }

  /**
   * Returns the current version of a branch's model and of its environment variables, after it has compiled.
   * @throws PlatformError 404 if the branch does not exist, 409 if its model does not compile.
   */
  async versionOf(target: ModelTarget): Promise<string> {
    const { version, release } = await this.#acquire(target);
    release();
    return version;
  }

  /** Converts semantic SQL as `DataApi.convert`, based on the production model of a deployment. */
  convert(text: string, deploymentId: number): Promise<ConvertedSql | null> {
    const target = productionOf({ deploymentId });
    if (isFolder(target)) return this.#options.folder.convert(text);
    return this.#use(target, ({ model, engine }) => model.convertSql(text, null, engine));
  }

  /** Returns the public part of the production model of a deployment. */
  async publicModel(deploymentId: number): Promise<MetaResponse | null> {
    const target = productionOf({ deploymentId });
    if (isFolder(target)) return this.#options.folder.publicModel();
    return this.#use(target, async ({ model }) => model.meta(null));
  }

  /** Compiles files with the tables of a deployment, and checks their SQL without running it. */
  async check(deploymentId: number, files: readonly ModelText[]): Promise<ModelCheck> {
    const { checkModel } = await import('./compile-model.js');
    const values = await this.#variablesOf(deploymentId);
    const { resource: engine, release } = await this.#engines.acquire(deploymentId);
    try {
      const tokens = new VariableTokens();
      const withValues = new VariableEngine(engine, tokens);
      const { cubes, views, members, warnings } = await checkModel(
        { directory: files, tables: engine.tables, caches: this.#caches, variables: { values, tokens } },
        // The statements that `checkModel` runs contain no SQL of the model, which it only describes.
        {
          describe: (sql, parameters) => withValues.describe(sql, parameters),
          run: (sql, parameters) => engine.runOwn(sql, parameters),
          accepted: engine.accepted,
        },
      );
      return { entities: cubes + views, members, problems: [], warnings };
    } catch (error) {
      if (error instanceof ModelError)
        return { entities: 0, members: new Set(), problems: error.problems, warnings: [] };
      throw error;
    } finally {
      release();
    }
  }

  /** Generates model files for tables of a deployment. @throws PlatformError 400 for an unknown table or column. */
  async generate(deploymentId: number, options: GenerateOptions): Promise<ReadonlyMap<string, string>> {
    const { generateModel } = await import('./generate/generate-model.js');
    const { resource: engine, release } = await this.#engines.acquire(deploymentId);
    try {
      // The statements contain no SQL of a model.
      const run: Engine['run'] = (sql, parameters) => engine.runOwn(sql, parameters);
      return await generateModel({ tables: engine.tables, run }, options);
    } finally {
      release();
    }
  }

  /** Makes changed tables of a deployment available to queries. */
  async refresh(deploymentId: number): Promise<void> {
    if (!this.#engines.isOpen(deploymentId)) return;
    const { resource: engine, release } = await this.#engines.acquire(deploymentId);
    try {
      await engine.refresh();
    } finally {
      release();
    }
  }

  /** Closes the engine and the models of a deployment that was deleted. */
  async forget(deploymentId: number): Promise<void> {
    await this.#models.remove(name => name.startsWith(`${deploymentId} `));
    await this.#engines.remove(name => name === String(deploymentId));
  }

  /** Returns the state of the folder deployment. */
  state(): ReturnType<DataApi['state']> {
    return this.#options.folder.state();
  }

  async close(): Promise<void> {
    await this.#models.close();
    await this.#engines.close();
  }

  async #openEngine(deploymentId: number): Promise<CheckedEngine> {
    const { repositories } = this.#options;
    if (!repositories) throw noRepositories();
    const checked = await import('./engines/checked-engine.js');
    // Models of a previous engine are never used again.
    await this.#models.remove(name => name.startsWith(`${deploymentId} `));
    const engine = new checked.CheckedEngine(await repositories.openEngine(deploymentId));
    this.#lastEngineId += 1;
    this.#engineIds.set(engine, this.#lastEngineId);
    return engine;
  }

  async #openModel(key: ModelKey): Promise<OpenModel> {
    const { target, version } = key;
    const startedAt = performance.now();
    const onEnd = (problem: string | null) => {
      const ms = Math.round(performance.now() - startedAt);
      this.#options.onModel?.({ target, version: version.id, ms, problem });
    };
    try {
      const opened = await openModel(key, this.#options, this.#caches);
      onEnd(null);
      return opened;
    } catch (error) {
      if (error instanceof ModelError) onEnd(error.message);
      throw error;
    }
  }

  /** The name contains everything that the compiled model depends on. */
  #nameOf({ target, version, engine, variables }: ModelKey): string {
    const tables = createHash('sha256').update(JSON.stringify(engine.tables)).digest('hex');
    const inputs = [tables, version.id, revisionOf(variables)];
    return [target.deploymentId, this.#engineIds.get(engine), ...inputs, targetKey(target)].join(' ');
  }

  async #variablesOf(deploymentId: number): Promise<ModelVariables> {
    const { repositories } = this.#options;
    if (!repositories) throw noRepositories();
    return repositories.variablesOf(deploymentId);
  }

  /** Runs work on the current version of a model. Neither its engine nor the model is closed until the work ends. */
  async #use<R>(target: ModelTarget, work: (model: OpenModel) => Promise<R>): Promise<R> {
    const { resource, release } = await this.#acquire(target);
    try {
      return await work(resource);
    } finally {
      release();
    }
  }

  async #acquire(
    target: ModelTarget,
  ): Promise<{ readonly resource: OpenModel; readonly version: string; readonly release: () => void }> {
    const { repositories } = this.#options;
    if (!repositories || target.deploymentId === defaultDeploymentId) throw noRepositories();
    const [version, variables] = await Promise.all([
      repositories.find(target),
      repositories.variablesOf(target.deploymentId),
    ]);
    const engine = await this.#engines.acquire(target.deploymentId);
    try {
      const model = await this.#models.acquire({ target, version, engine: engine.resource, variables });
      return {
        resource: model.resource,
        version: `${version.id} ${revisionOf(variables)}`,
        release() {
          model.release();
          engine.release();
        },
      };
    } catch (error) {
      engine.release();
      throw error instanceof ModelError ? brokenModel(target) : error;
    }
  }

  /** Returns answers that open the current version of the model for each request. */
  #answersOf(target: ModelTarget): DataAnswers {
    const run = <R>(work: (service: DataAnswers) => R | Promise<R>): Promise<R> =>
      this.#use(target, async ({ service }) => work(service));
    return {
      load: (request, context, options) =>
        this.#stream(target, options, (service, held) => service.load(request, context, held)),
      sql: (request, context, options) =>
        this.#stream(target, options, (service, held) => service.sql(request, context, held)),
      dryRun: (query, context, options) => run(service => service.dryRun(query, context, options)),
      meta: (context, options) => run(service => service.meta(context, options)),
      generatedSql: (query, context, options) => run(async service => service.generatedSql(query, context, options)),
      convertSql: (text, context, options) => run(service => service.convertSql(text, context, options)),
    };
  }

  /** Runs work whose response may be a stream, which holds the model until it ends. */
  async #stream(
    target: ModelTarget,
    options: LoadOptions,
    work: (service: DataAnswers, options: LoadOptions) => Promise<AnswerBody>,
  ): Promise<AnswerBody> {
    const { resource, release } = await this.#acquire(target);
    let isHeld = true;
    const releaseOnce = () => {
      if (isHeld) release();
      isHeld = false;
    };
    try {
      const onEnd = (complete: boolean) => {
        releaseOnce();
        options.onEnd?.(complete);
      };
      const body = await work(resource.service, { ...options, onEnd });
      if (!(body instanceof ReadableStream)) releaseOnce();
      return body;
    } catch (error) {
      releaseOnce();
      throw error;
    }
  }
}

const noContext: SecurityContext = { platform: { groups: [], userAttributes: {} } };

function isFolder({ deploymentId, branchName }: ModelTarget): boolean {
  return deploymentId === defaultDeploymentId && branchName === null;
}

async function openModel(
  { version, engine: checked, variables: values }: ModelKey,
  { queue, onProblem }: Pick<DeploymentDataOptions, 'queue' | 'onProblem'>,
  caches: ModelCaches,
): Promise<OpenModel> {
  const [{ compileModel }, { createDataService }] = await Promise.all([
    import('./compile-model.js'),
    import('./data-service.js'),
  ]);
  // Statements are checked after their variables have been replaced, so a value can do no more than other SQL.
  const tokens = new VariableTokens();
  const engine = new VariableEngine(checked, tokens);
  const variables = { values, tokens };
  const model = await compileModel({ directory: await version.read(), tables: checked.tables, caches, variables });
  const service = createDataService({ engine, model: { current: model }, queue, cacheBytes, onProblem });
  return { model, engine, service };
}

function busy(): PlatformError {
  return new PlatformError(503, 'Too many models are in use. Try again in a moment.');
}

function noRepositories(): PlatformError {
  return new PlatformError(404, 'Branch not found.');
}

/** The message contains no details, because callers without rights on the model receive it. */
function brokenModel({ branchName }: ModelTarget): PlatformError {
  const which = branchName === null ? 'The model of this deployment' : `The model of the branch ${branchName}`;
  return new PlatformError(409, `${which} does not compile. Validate it, and fix the errors.`);
}
