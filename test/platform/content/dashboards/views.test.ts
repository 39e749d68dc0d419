import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dashboardViews } from '../../../../src/platform/db/schema.js';
import fc, { casesAtDepth } from '../../../property.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
const tokens: Record<string, string> = {};
const users = ['ann', 'bob', 'zoe'] as const;
type User = (typeof users)[number];
const tenantOf: Readonly<Record<User, string>> = { ann: 'acme', bob: 'acme', zoe: 'other' };

let publicId: string;
let workbook: string;

beforeAll(async () => {
  platform = await startTestPlatform();
  const settings = { allowSavedViews: true };
  for (const [name, grant] of Object.entries({
    ann: { externalId: 'ann', embedTenantName: 'acme', userProfile: { displayName: 'Ann' }, settings },
    bob: { externalId: 'bob', embedTenantName: 'acme', settings },
    zoe: { externalId: 'zoe', embedTenantName: 'other', settings },
    plain: { externalId: 'ann', embedTenantName: 'acme' },
    inner: { externalId: null, internalId: 'admin', embedTenantName: 'acme', settings },
  })) {
    tokens[name] = await platform.tokenOf(grant);
  }
  const { id } = await platform.ok('PUT', '/api/v1/deployments/1/workbooks/by-slug/viewed', {});
  workbook = `/api/v1/deployments/1/workbooks/${id}`;
  publicId = (await platform.ok('POST', `${workbook}/publish`, { config: { widgets: [] }, allowEmbed: true })).publicId;
  await platform.ok('PUT', `${workbook}/embed-access`, { allEmbedUsers: true, action: 'read' });
});
afterAll(() => platform.stop());
beforeEach(async () => {
  await platform.db.delete(dashboardViews);
});

const state = { filters: { 'orders.status': { value: 'open' } }, tabs: { w1: 'w2' } };

const call = (who: string, method: string, path = '/views', body?: object) =>
  platform.call(method, `/api/v1/embed/dashboard/${publicId}${path}`, body, tokens[who]);
const save = async (who: string, name: string, more: object = {}) => {
  const { status, body } = await call(who, 'POST', '/views', { name, state, ...more });
  expect(status).toBe(200);
  return body;
};
const list = async (who: string) => {
  const { status, body } = await call(who, 'GET');
  expect(status).toBe(200);
  return body;
};
const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

describe('saved views', () => {
  test('are returned to the user who saved them, by name', async () => {
    await save('ann', 'West');
    const east = await save('ann', ' East ');
    expect(east).toEqual({
      id: expect.any(Number),
      name: 'East',
      state,
      isShared: false,
      isOwn: true,
      author: { username: 'ann', firstName: 'Ann' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(names(await list('ann'))).toEqual(['East', 'West']);
    expect(names(await list('bob'))).toEqual([]);
  });

  test('are shared with the tenant, and changed only by their author', async () => {
    const { id } = await save('ann', 'West', { isShared: true });
    expect(await list('bob')).toMatchObject({ items: [{ id, isOwn: false, isShared: true }] });
    expect(await list('zoe')).toMatchObject({ items: [] });
    for (const [who, status] of [
      ['bob', 403],
      ['zoe', 404],
    ] as const) {
      expect(await call(who, 'PATCH', `/views/${id}`, { name: 'x' })).toMatchObject({ status });
      expect(await call(who, 'DELETE', `/views/${id}`)).toMatchObject({ status });
    }
    const changed = await call('ann', 'PATCH', `/views/${id}`, { name: 'North', isShared: false });
    expect(changed).toMatchObject({ status: 200, body: { name: 'North', state, isShared: false } });
    expect(await call('bob', 'PATCH', `/views/${id}`, { name: 'x' })).toMatchObject({ status: 404 });
    expect(await call('ann', 'DELETE', `/views/${id}`)).toMatchObject({ status: 204 });
    expect(names(await list('ann'))).toEqual([]);
  });

  test('one is the default of a user, until it is deleted or no longer shared', async () => {
    const shared = await save('ann', 'West', { isShared: true });
    const own = await save('bob', 'Own');
    expect(await list('bob')).toMatchObject({ defaultViewId: null });
    expect(await call('bob', 'PUT', '/default-view', { viewId: shared.id })).toMatchObject({ status: 204 });
    expect(await list('bob')).toMatchObject({ defaultViewId: shared.id });
    expect(await list('ann')).toMatchObject({ defaultViewId: null });
    await call('ann', 'PATCH', `/views/${shared.id}`, { isShared: false });
    expect(await list('bob')).toMatchObject({ defaultViewId: null });
    await call('bob', 'PUT', '/default-view', { viewId: own.id });
    await call('bob', 'DELETE', `/views/${own.id}`);
    expect(await list('bob')).toMatchObject({ defaultViewId: null });
    expect(await call('zoe', 'PUT', '/default-view', { viewId: shared.id })).toMatchObject({ status: 404 });
    expect(await call('ann', 'PUT', '/default-view', { viewId: null })).toMatchObject({ status: 204 });
  });

  test('require a session of a tenant user with allowSavedViews', async () => {
    for (const who of ['plain', 'inner']) {
      expect(await call(who, 'GET')).toMatchObject({ status: 403 });
      expect(await call(who, 'POST', '/views', { name: 'x', state })).toMatchObject({ status: 403 });
    }
    expect(await platform.call('GET', `/api/v1/embed/dashboard/${publicId}/views`)).toMatchObject({ status: 403 });
  });

  test('are limited in number, name and size', async () => {
    for (const invalid of [{ name: ' ' }, { name: 'x'.repeat(101) }, { state: { other: 1 } }, { extra: 1 }]) {
      expect(await call('ann', 'POST', '/views', { name: 'x', state, ...invalid })).toMatchObject({ status: 400 });
    }
    for (let count = 0; count < 50; count += 1) await save('ann', `View ${count}`);
    expect(await call('ann', 'POST', '/views', { name: 'One more', state })).toMatchObject({ status: 409 });
    await save('bob', 'Another user');
  });
});

/** A request of one of the users; `at` selects one of the views that exist. */
interface Step {
  readonly who: User;
  readonly action: 'save' | 'share' | 'hide' | 'rename' | 'delete' | 'choose';
  readonly at: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom(...users),
  action: fc.constantFrom('save', 'share', 'hide', 'rename', 'delete', 'choose'),
  at: fc.nat(8),
});

interface Saved {
  readonly id: number;
  readonly author: User;
  name: string;
  isShared: boolean;
}

test('each user sees only their own views and those shared in the tenant, after any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async steps => {
      await platform.db.delete(dashboardViews);
      let views: Saved[] = [];
      const sees = (who: User, { author, isShared }: Saved): boolean =>
        who === author || (isShared && tenantOf[who] === tenantOf[author]);
      for (const { who, action, at } of steps) {
        if (action === 'save' || views.length === 0) {
          const { id, name } = await save(who, `${tenantOf[who]} of ${who}`);
          views.push({ id, author: who, name, isShared: false });
          continue;
        }
        const view = views[at % views.length];
        if (!view) continue;
        const refused = sees(who, view) ? 403 : 404;
        const isOwn = view.author === who;
        if (action === 'choose') {
          const { status } = await call(who, 'PUT', '/default-view', { viewId: view.id });
          expect(status).toBe(sees(who, view) ? 204 : 404);
        } else if (action === 'delete') {
          expect((await call(who, 'DELETE', `/views/${view.id}`)).status).toBe(isOwn ? 204 : refused);
          if (isOwn) views = views.filter(each => each !== view);
        } else {
          const change = action === 'rename' ? { name: `${view.name}!` } : { isShared: action === 'share' };
          expect((await call(who, 'PATCH', `/views/${view.id}`, change)).status).toBe(isOwn ? 200 : refused);
          if (isOwn) Object.assign(view, change);
        }
      }
      for (const who of users) {
        const { items, defaultViewId } = await list(who);
        const visible = views.filter(view => sees(who, view));
        expect(items.map(({ id }: Saved) => id).sort()).toEqual(visible.map(({ id }) => id).sort());
        expect(names({ items }).every(name => name.startsWith(tenantOf[who]))).toBe(true);
        if (defaultViewId !== null) expect(visible.map(({ id }) => id)).toContain(defaultViewId);
      }
    }),
    { numRuns: casesAtDepth(200, 25) },
  );
});
