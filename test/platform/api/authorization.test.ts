import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationShape } from '../../../src/contract/operation.js';
import { actions, resourceTypes } from '../../../src/contract/roles.js';
import { operations } from '../../../src/platform/http/operations.js';
import type { Answer } from '../test-platform.js';
import { authorizationTable, unusedRules } from './authorization-table.js';
import { exampleOf, forEachOf, type OperationId } from './every-operation.js';
import { policyEffects } from './policy-effects.js';
import {
  type Caller,
  callers,
  type Owner,
  pathOf,
  type Sent,
  type Stranger,
  startWorld,
  strangers,
  type World,
} from './world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Returns the outcome. A bulk operation succeeds and returns a status for each item. */
function outcomeOf({ status, body }: Answer): string {
  const [failure] = Object(body).failed ?? [];
  const actual = failure?.error.status ?? status;
  return actual < 300 ? 'ok' : String(actual);
}

const ownerOf = (caller: Caller): Owner => (caller === 'owner' || caller === 'tenantOwner' ? caller : 'admin');

/**
 * Calls the operation as every caller, starting with those that must be rejected. Creates a new example after each
 * success.
 */
async function askAs(operation: OperationShape): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const examples = new Map<Owner, Sent>();
  for (const caller of callers) {
    const owner = ownerOf(caller);
    const sent = examples.get(owner) ?? (await exampleOf(world, operation, owner));
    found[caller] = outcomeOf(await world.send(operation, sent, caller));
    if (found[caller] === 'ok' && operation.method !== 'GET') examples.delete(owner);
    else examples.set(owner, sent);
  }
  return found;
}

/** Returns the outcome of a valid request with a token. */
async function outcomeOfCall(id: OperationId, token: string): Promise<string> {
  const operation = operations.find(each => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  const sent = await exampleOf(world, operation);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
  return outcomeOf(await world.fetch(pathOf(operation, sent), { method: operation.method, headers, ...body }));
}

test('invalid credentials are of the kind that their name states', () => {
  const token = (stranger: Stranger) => (world.credentials[stranger] ?? '').replace('Bearer ', '');
  const kindOf = (stranger: Stranger) => decodeProtectedHeader(token(stranger)).typ;
  const lifeOf = (stranger: Stranger) => Number(decodeJwt(token(stranger)).exp) - Date.now() / 1000;
  expect(kindOf('expired')).toBe(kindOf('revoked'));
  expect(new Set([kindOf('revoked'), kindOf('dataToken'), kindOf('chatToken')]).size).toBe(3);
  expect(lifeOf('expired')).toBeLessThan(0);
  for (const stranger of ['revoked', 'dataToken', 'chatToken'] as const) expect(lifeOf(stranger)).toBeGreaterThan(60);
});

describe('authorization (spec 5)', () => {
  test('matches the table for every operation and every caller', async () => {
    const found = new Map<string, Record<string, string>>();
    await forEachOf(operations, async operation => {
      found.set(operation.id, await askAs(operation));
    });
    const differences = [...found].flatMap(([id, row]) =>
      callers
        .filter(caller => row[caller] !== authorizationTable.get(id)?.[caller])
        .map(caller => `${id} as ${caller}: ${row[caller]}, the table says ${authorizationTable.get(id)?.[caller]}`),
    );
    expect(differences).toEqual([]);
    expect(world.failures).toEqual([]);
  });

  test('rejects invalid credentials for every operation except those whose input is the credential', async () => {
    const closed = operations.filter(({ access }) => access !== 'public');
    const open = operations.filter(({ access }) => access === 'public');
    expect(open.map(({ id }) => id).sort()).toEqual([
      'createSessionToken',
      'getIssuerMetadata',
      'getJwks',
      'getSignIn',
      'postTokenBySessionId',
      'receiveRepositoryWebhook',
      'signIn',
      'signOut',
      'unsubscribe',
    ]);
    await forEachOf(closed, async operation => {
      const sent = await exampleOf(world, operation);
      for (const stranger of strangers) {
        const { status, body } = await world.send(operation, sent, stranger);
        expect(status, `${operation.id} as ${stranger}`).toBe(401);
        const keys = operation.mediaType ? ['schemas', 'status', 'detail'] : ['statusCode', 'message', 'error'];
        expect(Object.keys(body), operation.id).toEqual(keys);
      }
    });
  });

  test('every action of a policy takes effect or is rejected', async () => {
    const pairs = resourceTypes.flatMap(resourceType => actions.map(action => ({ resourceType, action })));
    const problems: string[] = [];
    await forEachOf(pairs, async ({ resourceType, action }) => {
      const effect = policyEffects[resourceType][action];
      const policies = [{ resourceType, actions: [action], resources: ['All'] }];
      const name = `${resourceType} ${action}`;
      const { status, body } = await world.platform.call('POST', '/api/v1/roles', { name, policies });
      if (status !== (effect ? 200 : 400)) problems.push(`${name}: ${status} ${body.message}`);
      if (!effect || typeof effect === 'string' || status !== 200) return;
      const base = typeof effect.base === 'string' ? effect.base : null;
      const { userId, token } = await world.platform.signedIn(base);
      if (effect.base !== null && base === null) {
        const role = await world.platform.ok('POST', '/api/v1/roles', {
          name: `Base of ${name}`,
          policies: effect.base,
        });
        await world.platform.call('PUT', `/api/v1/roles/${role.id}/users/${userId}`);
      }
      const outcome = () => outcomeOfCall(effect.operation, token);
      const before = await outcome();
      await world.platform.call('PUT', `/api/v1/roles/${body.id}/users/${userId}`);
      const after = await outcome();
      if (!/^40[34]$/.test(before) || after !== 'ok') problems.push(`${name}: ${before} without it, ${after} with it`);
    });
    expect(problems).toEqual([]);
  });

  test('has no unused rules', () => {
    expect(unusedRules).toEqual([]);
  });
});
