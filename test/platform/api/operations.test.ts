import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationShape } from '../../../src/contract/operation.js';
import { actions, resourceTypes } from '../../../src/contract/roles.js';
import { ScimUrn } from '../../../src/contract/scim.js';
import { operations } from '../../../src/platform/http/operations.js';
import type { Answer } from '../test-platform.js';
import { authorizationTable, unusedRules } from './authorization-table.js';
import { objection } from './described.js';
import { exampleOf, forEachOf, type OperationId, rightCaller } from './every-operation.js';
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
  type Who,
  type World,
} from './world.js';

// Calls every operation as every caller, and checks authorization and the documented responses in one pass, because
// creating the examples takes most of the time.

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Operations that this platform does not support. They respond to a valid request with 403. */
const unsupported: ReadonlySet<string> = new Set(['postDashboardPythonRun']);

/** Returns the outcome. A bulk operation succeeds and returns a status for each item. */
function outcomeOf({ status, body }: Answer): string {
  const [failure] = Object(body).failed ?? [];
  const actual = failure?.error.status ?? status;
  return actual < 300 ? 'ok' : String(actual);
}

/** Operations by the first part of their path. */
const families = new Map<string, OperationShape[]>();
for (const operation of operations) {
  const [name = ''] = operation.path.replace(/^\/(?:build\/)?api\/(?:v1\/)?/, '').split('/');
  families.set(name, [...(families.get(name) ?? []), operation]);
}

const ownerOf = (caller: Caller): Owner => (caller === 'owner' || caller === 'tenantOwner' ? caller : 'admin');

/** Sends a request and checks that the response is documented (spec 4) and that errors have one format (spec 7). */
async function sendChecked(operation: OperationShape, sent: Sent, who: Who): Promise<Answer> {
  const answer = await world.send(operation, sent, who);
  const name = `${operation.id} as ${who}`;
  if (answer.status >= 400) {
    expect(answer.body, name).toEqual(operation.mediaType ? scimError(answer) : platformError(answer));
  } else {
    const success = operation.isCreation ? 201 : 200;
    expect(answer.status, name).toBe(operation.response === null && !operation.file ? 204 : success);
  }
  expect(objection(operation, answer), name).toBe(null);
  return answer;
}

const platformError = ({ status, body }: Answer) => ({
  statusCode: status,
  message: expect.stringMatching(/\S/),
  error: expect.stringMatching(/^[A-Z]/),
  ...(body.code !== undefined && { code: expect.any(String) }),
});

const scimError = ({ status, body }: Answer) => ({
  schemas: [ScimUrn.error],
  status: String(status),
  detail: expect.stringMatching(/\S/),
  ...(body.scimType !== undefined && { scimType: expect.any(String) }),
});

/**
 * Sends requests that must fail: with each invalid credential, with ids that do not exist and with an unknown
 * parameter. Returns true if none of them succeeded, so that the example can be used for a valid request.
 */
async function sendInvalid(operation: OperationShape, sent: Sent): Promise<boolean> {
  if (operation.access !== 'public') {
    for (const stranger of strangers) {
      const { status } = await sendChecked(operation, sent, stranger);
      expect(status, `${operation.id} as ${stranger}`).toBe(401);
    }
  }
  const ids = Object.keys(Object(sent.params));
  const caller = rightCaller(operation);
  const requests: Sent[] = [{ ...sent, query: { nonsense: '1' } }];
  if (ids.length > 0) requests.push({ ...sent, params: Object.fromEntries(ids.map(id => [id, '0'])) });
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await sendChecked(operation, request, caller));
  return answers.every(({ status }) => status >= 400);
}

/**
 * Calls the operation as every caller, starting with those that must be rejected. Creates a new example after each
 * success.
 */
async function askAs(operation: OperationShape): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const examples = new Map<Owner, Sent>();
  const first = await exampleOf(world, operation);
  if (await sendInvalid(operation, first)) examples.set('admin', first);
  for (const caller of callers) {
    const owner = ownerOf(caller);
    const sent = examples.get(owner) ?? (await exampleOf(world, operation, owner));
    found[caller] = outcomeOf(await sendChecked(operation, sent, caller));
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

test('the check of responses detects undocumented ones', () => {
  const operation = operations.find(({ id }) => id === 'getReport');
  if (!operation) throw new Error('There is no such operation.');
  expect(objection(operation, { status: 200, body: {} })).toContain("required property 'publicId'");
  expect(objection(operation, { status: 418, body: {} })).toContain('not described');
});

describe('authorization (spec 5)', () => {
  test.each([...families])('of /%s matches the table for every caller', async (_name, family) => {
    const differences: string[] = [];
    await forEachOf(family, async operation => {
      const { id } = operation;
      const row = await askAs(operation);
      const allowed = authorizationTable.get(id);
      for (const caller of callers) {
        const [actual, expected] = [row[caller], allowed?.[caller]];
        if (actual !== expected) differences.push(`${id} as ${caller}: ${actual}, the table says ${expected}`);
      }
      if (!Object.values(row).includes('ok') && !unsupported.has(id)) differences.push(`${id} succeeds for nobody`);
    });
    expect(differences).toEqual([]);
    expect(world.failures).toEqual([]);
  });

  test('applies to all operations except those whose input is the credential', () => {
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
