import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { createSealedSecrets } from '../../../src/platform/auth/sealed-secrets.js';
import { secretsOf } from '../../../src/platform/auth/secrets.js';
import { openDatabase } from '../../../src/platform/db/database.js';
import { environmentVariables } from '../../../src/platform/db/schema.js';
import { resealVariables, servedVariables } from '../../../src/platform/models/env-variable-store.js';
import { openVariableSource } from '../../../src/platform/open-variables.js';
import { eventually } from '../../eventually.js';
import { testSecrets } from '../auth/test-tokens.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/deployments/1/env-vars';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const put = (...env_variables: object[]) => platform.call('PUT', path, { env_variables });
const served = async () =>
  Object.fromEntries((await servedVariables(platform.db, platform.deps.sealedSecrets)).map(v => [v.name, v.value]));
const holder: Policy[] = [{ resourceType: 'Deployment', actions: ['SecretsManage'], resources: ['1'] }];

test('A deleted variable is no longer listed, and cannot be deleted again', async () => {
  await platform.ok('PUT', path, { env_variables: [{ name: 'OBSOLETE', value: '1' }] });
  expect(await platform.call('DELETE', `${path}/OBSOLETE`)).toMatchObject({ status: 204 });
  const { items } = await platform.ok('GET', path);
  expect(items.map(({ name }: { name: string }) => name)).not.toContain('OBSOLETE');
  expect(await platform.call('DELETE', `${path}/OBSOLETE`)).toMatchObject({ status: 404 });
});

describe('environment variables (operations.md, Env Variables)', () => {
  test('are upserted by name, listed by name, and paged', async () => {
    expect(await put({ name: 'SCHEMA', value: 'sales' }, { name: 'CITY', value: 'Rome' })).toMatchObject({
      status: 200,
    });
    const { body } = await put({ name: 'CITY', value: '' });
    const items = [
      { name: 'CITY', value: '' },
      { name: 'SCHEMA', value: 'sales' },
    ];
    expect(body).toMatchObject({ items, data: items, pageInfo: { hasNextPage: false } });
    const first = await platform.ok('GET', `${path}?first=1`);
    const next = await platform.ok('GET', `${path}?first=1&after=${first.pageInfo.endCursor}`);
    expect([...first.items, ...next.items]).toEqual(items);
    expect((await platform.ok('GET', `${path}?search=sch`)).items).toEqual([items[1]]);
  });

  test('are encrypted at rest, and masked by name in every response and in the audit log', async () => {
    const names = ['DB_PASSWORD', 'a_secret', 'Token', 'KEYRING', 'my_credentials'];
    const answer = await put(...names.map(name => ({ name, value: 'hunter2' })), { name: 'PLAIN', value: 'hunter3' });
    const values = (name: string) => answer.body.items.find((item: { name: string }) => item.name === name)?.value;
    expect(names.map(values)).toEqual(names.map(() => '[ENCRYPTED]'));
    expect(values('PLAIN')).toBe('hunter3');
    expect(JSON.stringify(await platform.db.select().from(environmentVariables))).not.toContain('hunter');
    const audited = JSON.stringify(await platform.audited('setEnvVariables'));
    expect(audited).toContain('DB_PASSWORD');
    expect(audited).not.toContain('hunter');
    expect(await served()).toMatchObject({ DB_PASSWORD: 'hunter2', PLAIN: 'hunter3' });
  });

  test.each([
    [[{ name: 'A', value: '[ENCRYPTED]' }], 'body.env_variables.0.value'],
    [[{ name: '1A', value: 'x' }], 'body.env_variables.0.name'],
    [[{ name: 'A-B', value: 'x' }], 'body.env_variables.0.name'],
    [[{ name: '', value: 'x' }], 'body.env_variables.0.name'],
    [
      [
        { name: 'A', value: 'x' },
        { name: 'A', value: 'y' },
      ],
      'body.env_variables.1.name: is listed twice',
    ],
    [[{ name: 'A', value: 5 }], 'body.env_variables.0.value'],
    [
      [
        { name: 'GOOD', value: 'x' },
        { name: 'B D', value: 'x' },
      ],
      'body.env_variables.1.name',
    ],
  ])('reject %j and write nothing', async (variables, message) => {
    const before = await served();
    const answer = await put(...variables);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(await served()).toEqual(before);
  });

  test('legacy names that are stored already can be changed', async () => {
    const row = { deploymentId: 1, name: 'old-name', sealedValue: '' };
    await platform.db.insert(environmentVariables).values(row);
    expect(await put({ name: 'old-name', value: 'new' })).toMatchObject({ status: 200 });
    expect(await served()).toMatchObject({ 'old-name': 'new' });
  });

  test('are for administrators and holders of SecretsManage with an API key', async () => {
    await platform.addUserKey('holder', null, holder);
    await platform.addUserKey('other', 'AIBIDeveloper');
    const admin = await platform.tokenOf({ externalId: undefined, internalId: 'admin' });
    const statuses = (key: string, at = path) =>
      Promise.all([
        platform.call('GET', at, undefined, key).then(({ status }) => status),
        platform.call('PUT', at, { env_variables: [] }, key).then(({ status }) => status),
      ]);
    expect(await statuses('holder')).toEqual([200, 200]);
    expect(await statuses('the-admin-key')).toEqual([200, 200]);
    for (const key of ['other', admin, await platform.tokenOf()]) expect(await statuses(key)).toEqual([403, 403]);
    expect(await statuses('holder', '/api/v1/deployments/99/env-vars')).toEqual([403, 403]);
    expect(await statuses('the-admin-key', '/api/v1/deployments/99/env-vars')).toEqual([404, 404]);
  });

  test('are bound to deployment and name, and re-encrypted after a change of the secret key', async () => {
    await put({ name: 'BOUND', value: 'kept' });
    const next = createSealedSecrets(secretsOf('the next secret key'), [testSecrets]);
    expect(Object.fromEntries((await servedVariables(platform.db, next)).map(v => [v.name, v.value]))).toEqual(
      await served(),
    );
    await resealVariables(platform.db, next);
    expect(await served()).toEqual({});
    const back = createSealedSecrets(testSecrets, [secretsOf('the next secret key')]);
    await resealVariables(platform.db, back);
    expect(await served()).toMatchObject({ BOUND: 'kept' });
  });

  test('reach every other process on the database without a restart', async () => {
    const database = await openDatabase(platform.connection);
    const failures: unknown[] = [];
    const source = await openVariableSource(
      database,
      { readVariables: () => servedVariables(database.db, platform.deps.sealedSecrets), readTokens: async () => [] },
      error => failures.push(error),
    );
    let changes = 0;
    source.onChange(() => {
      changes += 1;
    });
    try {
      await put({ name: 'LIVE', value: 'one' });
      await eventually(() => expect(source.current.get('LIVE')?.value).toBe('one'));
      const revision = source.current.get('LIVE')?.revision;
      await put({ name: 'LIVE', value: 'two' });
      await eventually(() => expect(source.current.get('LIVE')?.value).toBe('two'));
      expect(source.current.get('LIVE')?.revision).not.toBe(revision);
      await eventually(() => expect(changes).toBeGreaterThan(0));
      expect(failures).toEqual([]);
    } finally {
      await source.close();
      await database.close();
    }
  });
});
