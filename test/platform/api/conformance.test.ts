import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScimUrn } from '../../../src/contract/scim.js';
import { operations } from '../../../src/platform/http/operations.js';
import type { Answer } from '../test-platform.js';
import { objection } from './described.js';
import { exampleOf, forEachOf, rightCaller } from './every-operation.js';
import { startWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test('the check detects undocumented responses', () => {
  const operation = operations.find(({ id }) => id === 'getReport');
  if (!operation) throw new Error('There is no such operation.');
  expect(objection(operation, { status: 200, body: {} })).toContain("required property 'publicId'");
  expect(objection(operation, { status: 418, body: {} })).toContain('not described');
});

/** Operations that this platform does not support, with the status of the response to a valid request. */
const unsupported: Readonly<Record<string, number>> = { postDashboardPythonRun: 403 };

test('every operation returns a documented response to a valid request (spec 4)', async () => {
  const problems: string[] = [];
  await forEachOf(operations, async operation => {
    const answer = await world.send(operation, await exampleOf(world, operation), rightCaller(operation));
    const success = unsupported[operation.id] ?? (operation.isCreation ? 201 : 200);
    const expected = operation.response === null && !operation.file ? 204 : success;
    const problem =
      answer.status === expected
        ? objection(operation, answer)
        : `${operation.id}: ${answer.status} ${JSON.stringify(answer.body)}`;
    if (problem !== null) problems.push(problem);
  });
  expect(problems).toEqual([]);
  expect(world.failures).toEqual([]);
});

test('every error has the same format and a documented status (spec 7)', async () => {
  const problems: string[] = [];
  await forEachOf(operations, async operation => {
    const sent = await exampleOf(world, operation);
    const nowhere = { ...sent, params: Object.fromEntries(Object.keys(Object(sent.params)).map(name => [name, '0'])) };
    const refused = [
      ...(operation.access === 'public' ? [] : [await world.send(operation, sent, 'nobody')]),
      await world.send(operation, sent, 'noRole'),
      await world.send(operation, nowhere, rightCaller(operation)),
      await world.send(operation, { ...sent, query: { nonsense: '1' } }, rightCaller(operation)),
    ].filter(({ status }) => status >= 400);
    for (const answer of refused) {
      expect(answer.body, operation.id).toEqual(operation.mediaType ? scimError(answer) : platformError(answer));
      const problem = objection(operation, answer);
      if (problem !== null) problems.push(problem);
    }
  });
  expect(problems).toEqual([]);
  expect(world.failures).toEqual([]);
});

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
