import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import '../../../src/contract/messages.js';
import type { OperationShape } from '../../../src/contract/operation.js';
import { createSealedSecrets } from '../../../src/platform/auth/sealed-secrets.js';
import * as schema from '../../../src/platform/db/schema.js';
import { routePath } from '../../../src/platform/http/mount.js';
import { openApiDocument } from '../../../src/platform/http/openapi.js';
import { operations } from '../../../src/platform/http/operations.js';
import { platformRoutes } from '../../../src/platform/platform-routes.js';
import { testSecrets, testTokens } from '../auth/test-tokens.js';
import { authorizationTable } from './authorization-table.js';
import { examples } from './every-operation.js';

const source = (folder: string) => fileURLToPath(new URL(`../../../src/${folder}/`, import.meta.url));
const modulesIn = (folder: string) =>
  readdirSync(source(folder), { encoding: 'utf8', recursive: true }).filter(file => file.endsWith('.ts'));

const ids = operations.map(({ id }) => id).sort();
const isOperation = (value: unknown): value is OperationShape => Object(value).api === 'platform';

/** Operations that the contract modules declare: export name by operation id. */
const declared = new Map<string, string>();
for (const file of modulesIn('contract')) {
  const exported = await import(/* @vite-ignore */ `../../../src/contract/${file.replace(/\.ts$/, '.js')}`);
  for (const [name, value] of Object.entries<unknown>(exported)) if (isOperation(value)) declared.set(value.id, name);
}

/** Returns the contract names that a module passes to a function, directly or through a variable. */
function namesCalled(folder: string, file: string): string[] {
  const tree = ts.createSourceFile(file, readFileSync(source(folder) + file, 'utf8'), ts.ScriptTarget.ES2022);
  const imported = new Map<string, string>();
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node)) imported.set(node.name.text, (node.propertyName ?? node.name).text);
    const initializers = ts.isVariableDeclaration(node) ? [node.initializer] : [];
    for (const each of ts.isCallExpression(node) ? node.arguments : initializers) {
      if (each && ts.isPropertyAccessExpression(each)) found.push(each.name.text);
      if (each && ts.isIdentifier(each)) found.push(imported.get(each.text) ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe('every operation of the contract', () => {
  test('is in the list of platform operations with a unique id', () => {
    expect([...declared.keys()].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is served, and no other operation is', () => {
    const { routes } = platformRoutes({
      db: drizzle.mock({ schema }),
      authenticate: () => Promise.reject(new Error('This test expects no authentication.')),
      authenticateScim: () => Promise.reject(new Error('This test expects no authentication.')),
      tokens: testTokens,
      publicUrl: 'https://platform.example',
      dataApiPath: '/data-api',
      sealedSecrets: createSealedSecrets(testSecrets),
      compileChart: async spec => spec,
      convertSql: async () => null,
      publicModel: () => null,
      channels: { hasSlack: false, webhookHosts: [] },
      hasUsageAnalytics: true,
      signInProvider: null,
      oauth: {},
      gitHosts: {},
      agentTools: {},
      onFailure: () => {},
      dataOf: () => null,
      deploymentsDirectory: null,
      checkModel: async () => ({ entities: 0, members: new Set<string>(), problems: [], warnings: [] }),
      generateModel: async () => new Map([['model/flights.yml', 'cubes: []\n']]),
      refreshTables: async () => undefined,
      forgetDeployment: async () => undefined,
    });
    const served = routes.map(({ method, path }) => `${method} ${path}`).sort();
    expect(served).toEqual(operations.map(each => `${each.method} ${routePath(each)}`).sort());
  });

  test('is in the OpenAPI document', () => {
    const paths: object[] = Object.values(Object(openApiDocument('https://platform.example')).paths);
    const described = paths.flatMap(path => Object.values(path).map(each => Object(each).operationId));
    expect(described.sort()).toEqual(ids);
  });

  test('is called by the client, except sessions, which back ends mint, and events, which git hosts send', () => {
    const called = new Set([
      'receiveRepositoryWebhook',
      ...modulesIn('client').flatMap(file => namesCalled('client', file)),
      ...namesCalled('node', 'create-embed-session.ts').filter(name => name === 'generateSession'),
    ]);
    expect([...declared.values()].filter(name => !called.has(name))).toEqual([]);
  });

  test('is in the authorization table, and no other operation is', () => {
    expect([...authorizationTable.keys()].sort()).toEqual(ids);
  });

  test('has an example for the tests of valid requests, callers and hostile input', () => {
    expect(Object.keys(examples).sort()).toEqual(ids);
  });
});
