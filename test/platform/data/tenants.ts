import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallerDataWithSql, createCallerData } from '../../../src/platform/data/caller-data.js';
import { compileModel } from '../../../src/platform/data/compile-model.js';
import { dataRoutes } from '../../../src/platform/data/data-routes.js';
import { createDataService } from '../../../src/platform/data/data-service.js';
import type { SemanticModel } from '../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { caller, tenantCaller } from './callers.js';
import { engineUnderTest } from './engines/engine-under-test.js';
import { modelText, RowLevel, tableSelects, tenants } from './tenant-model.js';

/** Callers by token: the tenants, a tenant without rows, and all variants of a missing tenant. */
const callers = new Map<string, ReturnType<typeof caller>>([
  ...tenants.map(tenant => [tenant, tenantCaller(tenant)] as const),
  ['tenant_x', tenantCaller('tenant_x')],
  ["' OR 1=1 --", caller({ tenant: "' OR 1=1 --" })],
  ['missing', caller()],
  ['null', caller({ tenant: null })],
  ['empty', tenantCaller('')],
  ['list', caller({ tenant: [] })],
  ['object', caller({ tenant: { constructor: 'tenant_a' } })],
]);
/** Callers with a tenant that has no rows. */
export const strangers = ['tenant_x', "' OR 1=1 --"] as const;
/** Callers whose policy can't match. */
export const nobodies = ['missing', 'null', 'empty', 'list', 'object'] as const;

/** A running Data API. */
export interface Server {
  readonly app: ReturnType<typeof dataRoutes>;
  /** In-process access of a tenant. */
  dataOf(tenant: string): CallerDataWithSql;
  /** Its reported internal errors. */
  readonly failures: readonly unknown[];
  close(): Promise<void>;
}

/** Starts a server with the rows of all tenants. */
export async function startShared(): Promise<Server> {
  return start(tenants, await compile(RowLevel.own));
}

/**
 * Starts a server for each caller that contains only the caller's rows and shows all of them. Its results are the
 * expected results of the shared server.
 */
export async function startAlone(): Promise<ReadonlyMap<string, Server>> {
  const model = await compile(RowLevel.all);
  const empty = await start([], model);
  const own = tenants.map(async tenant => [tenant, await start([tenant], model)] as const);
  return new Map([...(await Promise.all(own)), ...strangers.map(stranger => [stranger, empty] as const)]);
}

async function compile(rowLevel: RowLevel): Promise<SemanticModel> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-property-'));
  await writeFile(join(directory, 'model.yml'), modelText(rowLevel));
  const { dialect } = engineUnderTest.current;
  const model = await compileModel({ directory, dialect, tables: Object.keys(tableSelects([])) });
  await rm(directory, { recursive: true });
  return model;
}

async function start(present: readonly string[], model: SemanticModel): Promise<Server> {
  const { engine, close } = await engineUnderTest.current.open(tableSelects(present));
  const service = createDataService({ engine, model: { current: model } });
  const failures: unknown[] = [];
  const app = dataRoutes({
    service,
    authenticate: async request => ({ securityContext: readCaller(request) }),
    onFailure: error => failures.push(error),
  });
  return { app, dataOf: tenant => createCallerData(service, tenantCaller(tenant)), failures, close };
}

function readCaller(request: Request) {
  const found = callers.get(request.headers.get('authorization') ?? '');
  if (!found) throw new PlatformError(403, 'Invalid token');
  return found;
}
