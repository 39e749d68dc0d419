import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const path = '/api/v1/user-attributes';
const values = '/api/v1/user-attribute-values';
let count = 0;
let name: string;
beforeEach(() => {
  count += 1;
  name = `attribute_${count}`;
});

const create = (body: object) => platform.ok('POST', path, { name, ...body });
const assign = (userAttributeId: unknown, userId: unknown, value?: unknown) =>
  platform.call('POST', values, { userAttributeId, userId, value });

describe('user attributes (spec 2.8)', () => {
  test('are created and updated; repeating a request changes nothing', async () => {
    const made = await create({ type: 'number', defaultValue: '3', displayName: 'Level' });
    const whole = { id: expect.any(Number), name, type: 'number', defaultValue: '3', displayName: 'Level' };
    expect(made).toEqual({ ...whole, description: null });
    const one = `${path}/${made.id}`;
    const described = await platform.ok('PUT', one, { description: 'How high.', defaultValue: '4' });
    expect(described).toEqual({ ...made, description: 'How high.', defaultValue: '4' });
    expect(await platform.ok('PUT', one, {})).toEqual(described);
    expect(await platform.ok('PUT', one, { displayName: null, description: 'How high.' })).toEqual(described);
    const cleared = await platform.ok('PUT', one, { displayName: '', description: '', defaultValue: '' });
    expect(cleared).toMatchObject({ displayName: null, description: null, defaultValue: null });
    expect((await platform.ok('GET', `${path}?name=${name}`)).items).toEqual([cleared]);
  });

  test.each(['string', 'number', 'boolean', 'string_array', 'number_array'])('can have the type %s', async type => {
    expect(await create({ type })).toMatchObject({ type });
  });

  test('name and type are immutable', async () => {
    const { id } = await create({ type: 'string' });
    for (const body of [{ type: 'number' }, { type: 'string' }, { name: 'other' }]) {
      expect(await platform.call('PUT', `${path}/${id}`, body)).toMatchObject({ status: 400 });
    }
  });

  test.each([
    [{ type: 'text' }, 'body.type'],
    [{}, 'body.type'],
    [{ type: 'string', name: 'a b' }, 'body.name'],
    [{ type: 'string', name: '' }, 'body.name'],
    [{ type: 'string', name: '__proto__!' }, 'body.name'],
    [{ type: 'number', defaultValue: 'much' }, 'body.defaultValue'],
    [{ type: 'string_array', defaultValue: '[1]' }, 'body.defaultValue'],
    [{ type: 'string', displayName: 'x'.repeat(256) }, 'body.displayName'],
    [{ type: 'string', more: 1 }, 'body'],
  ])('returns 400 that names the field for %j', async (body, field) => {
    const answer = await platform.call('POST', path, { name, ...body });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });

  test('returns 409 for a name that is taken; one of several concurrent requests succeeds', async () => {
    const all = Array.from({ length: 5 }, () => platform.call('POST', path, { name, type: 'string' }));
    expect((await Promise.all(all)).map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('are listed newest first, by cursor or by offset, not both', async () => {
    for (const index of [1, 2, 3]) await platform.ok('POST', path, { name: `${name}_${index}`, type: 'boolean' });
    const names = (page: { items: { name: string }[] }) => page.items.map(item => item.name);
    const all = await platform.ok('GET', path);
    expect(names(all).slice(0, 3)).toEqual([`${name}_3`, `${name}_2`, `${name}_1`]);
    expect(all.data).toEqual(all.items);
    const first = await platform.ok('GET', `${path}?first=2&type=boolean`);
    await platform.ok('POST', path, { name: `${name}_new`, type: 'boolean' });
    const second = await platform.ok('GET', `${path}?first=1&type=boolean&after=${first.pageInfo.endCursor}`);
    expect(names(second)).toEqual([`${name}_1`]);
    const byOffset = await platform.ok('GET', `${path}?offset=1&limit=2&type=boolean`);
    expect(names(byOffset)).toEqual([`${name}_3`, `${name}_2`]);
    expect(byOffset.count).toBe(first.count + 1);
    expect(byOffset.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect((await platform.ok('GET', `${path}?offset=100000`)).items).toEqual([]);
    for (const query of [
      'first=1&limit=1',
      'offset=0&after=x',
      'limit=0',
      'offset=-1',
      'after=x',
      'type=text',
      'x=1',
    ]) {
      expect(await platform.call('GET', `${path}?${query}`), query).toMatchObject({ status: 400 });
    }
  });

  test('returns 404 for an unknown id', async () => {
    expect(await platform.call('PUT', `${path}/999999`, {})).toMatchObject({ status: 404 });
  });

  test('cannot be deleted or listed by embed tenant: those operations were removed (spec 9)', async () => {
    const { id } = await create({ type: 'string' });
    await platform.tokenOf({ embedTenantName: 'acme' });
    for (const [method, gone] of [
      ['GET', '/api/v1/embed-tenants/acme/user-attributes'],
      ['DELETE', `/api/v1/embed-tenants/acme/user-attributes/${id}`],
      ['DELETE', '/api/v1/embed-tenants/acme/user-attributes'],
      ['DELETE', `${path}/${id}`],
      ['GET', `${path}/${id}`],
    ] as const) {
      expect((await platform.app.request(gone, { method })).status, `${method} ${gone}`).toBe(404);
    }
    const session = await platform.mint({ ephemeralTtlSeconds: 60 });
    expect(session).toMatchObject({ status: 400, body: { message: expect.stringContaining('ephemeralTtlSeconds') } });
  });
});

describe('values of user attributes', () => {
  const userOf = async (externalId: string): Promise<number> =>
    (await platform.ok('POST', '/api/v1/embed-tenants/acme/user', { externalId })).id;

  test('are set, changed and cleared, and apply to sessions that are minted afterwards', async () => {
    const attribute = await create({ type: 'string_array', displayName: 'Airports' });
    const userId = await userOf('ann');
    const expected = { userAttributeId: attribute.id, userId, name, type: 'string_array', displayName: 'Airports' };
    const set = await assign(String(attribute.id), String(userId), ['ATL', 'ORD']);
    const expectedAttribute = { ...expected, description: null, value: ['ATL', 'ORD'], formattedValue: 'ATL, ORD' };
    expect(set).toEqual({ status: 200, body: expectedAttribute });
    expect(await platform.ok('GET', `${values}/${userId}`)).toEqual([expectedAttribute]);
    const seen = async () =>
      (await platform.contextOf({ embedTenantName: 'acme', externalId: 'ann' })).platform.userAttributes[name];
    expect(await seen()).toEqual(['ATL', 'ORD']);
    await assign(attribute.id, userId, ['JFK']);
    expect(await seen()).toEqual(['JFK']);
    expect((await assign(attribute.id, userId, null)).body).toMatchObject({ value: null, formattedValue: null });
    expect(await seen()).toBeUndefined();
    expect(await assign(attribute.id, userId)).toMatchObject({ status: 200 });
    expect(await platform.ok('GET', `${values}/${userId}`)).toEqual([]);
  });

  test.each([
    ['string', 'x', 'x'],
    ['string', '', ''],
    ['number', 0, '0'],
    ['boolean', false, 'false'],
    ['number_array', [1, 2.5], '1, 2.5'],
  ])('of type %s, for an internal user too: %j', async (type, value, formattedValue) => {
    const { id } = await create({ type });
    expect((await assign(id, 1, value)).body).toMatchObject({ value, formattedValue });
    const own = await platform.ok('GET', `${values}/1`);
    expect(own.filter((entry: { name: string }) => entry.name === name)).toMatchObject([{ value }]);
  });

  test.each([
    ['string', 1],
    ['number', '1'],
    ['boolean', 'true'],
    ['string_array', 'x'],
    ['string_array', [1]],
    ['number_array', ['1']],
    ['string', {}],
    ['string', 'x'.repeat(10_001)],
  ])('returns 400 for a value that is not of type %s', async (type, value) => {
    const { id } = await create({ type });
    const answer = await assign(id, 1, value);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body.value') } });
  });

  test('returns 404 for an unknown attribute or user, 400 for an invalid id', async () => {
    const { id } = await create({ type: 'string' });
    expect(await assign(999_999, 1, 'x')).toMatchObject({ status: 404 });
    expect(await assign(id, 999_999, 'x')).toMatchObject({ status: 404 });
    expect(await platform.call('GET', `${values}/999999`)).toMatchObject({ status: 404 });
    expect(await assign('one', 1, 'x')).toMatchObject({ status: 400 });
    expect(await assign(id, '', 'x')).toMatchObject({ status: 400 });
  });

  test('require an admin, like the definitions', async () => {
    await platform.addUserKey(`key-${count}`, 'AIBIDeveloper');
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['POST', path, { name, type: 'string' }],
      ['PUT', `${path}/1`, {}],
      ['POST', values, { userAttributeId: 1, userId: 1 }],
      ['GET', `${values}/1`, undefined],
    ] as const) {
      expect(await platform.call(method, at, body, `key-${count}`)).toMatchObject({ status: 403 });
      expect(await platform.call(method, at, body, '')).toMatchObject({ status: 401 });
    }
  });
});
