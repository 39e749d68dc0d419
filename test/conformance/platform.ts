import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import cube, { type CubeApi, type CubeApiOptions } from '@cubejs-client/core';
import { listen } from '../../src/cli/server/listen.js';
import { secretsOf } from '../../src/platform/auth/secrets.js';
import { createTokens } from '../../src/platform/auth/tokens.js';
import { createPlatform } from '../../src/platform/create-platform.js';
import type { QueryLimits } from '../../src/platform/data/query-limits.js';
import { inDialect } from '../platform/data/engines/engine-under-test.js';
import { startSecondPlatform } from '../platform/data/upstream/second-platform.js';
import { takePlatformDatabase, testSecretKey } from '../platform/db/test-database.js';
import { openReference, type Reference } from './reference.js';
import { writeSources } from './sources.js';

const adminKey = 'the-admin-key-of-tests';
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Callers of the suite, each with an airport's flights and a shop's orders. */
export const callers = {
  ord: { airport: 'ORD', tenant: 'acme' },
  atl: { airport: 'ATL', tenant: 'globex' },
} as const;
/** Name of a caller. */
export type Caller = keyof typeof callers;

/** A running platform with its source files and the third-party client. */
export interface Conformance {
  /** Base URL of the Data API for the client. */
  readonly apiUrl: string;
  readonly reference: Reference;
  /** Creates a client with a data token of the caller. */
  client(caller?: Caller, options?: Partial<CubeApiOptions>): CubeApi;
  token(caller?: Caller): string;
  /** Creates a client with a developer token of the admin's key. */
  developer(): CubeApi;
  /** Returns an expired data token of the platform. */
  expiredToken(): Promise<string>;
  /** Folder of the source files. */
  readonly sources: string;
  stop(): Promise<void>;
}

/** Whether the platform serves the model itself, or forwards Data API requests to another platform. */
export type Served = 'here' | 'upstream';

/** Starts an HTTP platform with the models of demo and suite, and authenticates the callers. */
export async function startConformance(limits: QueryLimits = {}, served: Served = 'here'): Promise<Conformance> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const sources = join(folder, 'sources');
  const models = join(folder, 'model');
  await Promise.all([
    writeSources(sources),
    writeModel(path('../../demo/model'), join(models, 'demo')),
    writeModel(path('model'), join(models, 'suite')),
  ]);
  const reference = await openReference(sources);
  const listener = await listen({ host: '127.0.0.1', port: 0 });
  const place = (await reference.place()) ?? { sourcesDirectory: sources };
  const data = { modelDirectory: models, sourcesDirectory: sources };
  const second = served === 'upstream' ? await startSecondPlatform({ ...data, limits }) : null;
  const database = await takePlatformDatabase();
  const platform = await createPlatform({
    publicUrl: listener.url,
    adminKey,
    ...database.options,
    ...(second ? { dataApiUpstream: second.upstream } : { modelDirectory: models, limits, ...place }),
    onFailure: failure => console.error(failure),
  });
  listener.serve(platform.fetch);
  const apiUrl = `${listener.url}/data-api/v1`;
  const tokens = { ord: await signIn(listener.url, 'ord'), atl: await signIn(listener.url, 'atl') };
  const developer = await dataToken(listener.url, adminKey);
  return {
    apiUrl,
    sources,
    reference,
    client: (caller = 'ord', options = {}) => cube(tokens[caller], { apiUrl, ...options }),
    token: (caller = 'ord') => tokens[caller],
    developer: () => cube(developer, { apiUrl }),
    expiredToken: () =>
      createTokens(secretsOf(testSecretKey)).signDataToken({
        securityContext: { ...callers.ord, platform: { groups: [], userAttributes: {} } },
        embedTenantId: null,
        sessionKey: null,
        expiresAt: new Date(Date.now() - 60_000),
      }),
    async stop() {
      reference.close();
      await listener.close(0);
      await platform.close();
      await database.stop();
      await second?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** DuckDB-specific SQL of the models and its Postgres equivalents. */
const words = [
  ['to_minutes(30 + {CUBE}.distance // 8)', 'make_interval(mins => CAST(30 + {CUBE}.distance / 8 AS integer))'],
  ['{CUBE}.distance // 100', '{CUBE}.distance / 100'],
  ['hour({CUBE}.date)', 'extract(hour FROM {CUBE}.date)'],
  ['isodow({CUBE}.date)', 'extract(isodow FROM {CUBE}.date)'],
] as const;

/** Copies a model and translates its SQL to the dialect of the engine under test. */
async function writeModel(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const text = await readFile(join(from, name), 'utf8');
    const inPostgres = words.reduce((model, [duckdb, postgres]) => model.replaceAll(duckdb, postgres), text);
    await writeFile(join(to, name), inDialect({ duckdb: text, postgres: inPostgres }));
  }
}

/** Gets a data token like a host's page: session, embed token, data token. */
async function signIn(url: string, caller: Caller): Promise<string> {
  const grant = { deploymentId: 1, externalId: caller, securityContext: callers[caller] };
  const { sessionId } = await post(`${url}/api/v1/embed/generate-session`, `Bearer ${adminKey}`, grant);
  const { token = '' } = await post(`${url}/api/v1/embed/session/token`, '', { sessionId });
  return dataToken(url, token);
}

async function dataToken(url: string, credential: string): Promise<string> {
  const { platformApiToken = '' } = await post(`${url}/api/v1/deployments/1/token`, `Bearer ${credential}`, {});
  return platformApiToken;
}

async function post(to: string, authorization: string, body: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', authorization };
  const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${to} answered ${response.status}`);
  return response.json();
}
