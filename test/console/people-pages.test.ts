import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../src/console/people/people-api.js';
import { english } from '../../src/console/people/people-messages.js';
import { peoplePages } from '../../src/console/people/people-pages.js';

const pageInfo = { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: 'next' };
const { signal } = new AbortController();

/** Requests as method, path with query, and body. */
const sent = vi.fn<(request: string) => void>();
let items: readonly object[] = [];

const fetch = vi.fn<typeof globalThis.fetch>(async (url, init) => {
  const { pathname, search } = new URL(String(url));
  sent([init?.method, decodeURIComponent(pathname + search), init?.body].filter(Boolean).join(' '));
  const one = {
    id: 3,
    name: 'x',
    username: 'ann',
    email: '',
    isAdmin: false,
    notifications: {},
    userCount: 0,
    createdAt: '',
  };
  if (init?.method === 'DELETE') return new Response(null, { status: 204 });
  return Response.json(init?.method === 'GET' ? { items, data: items, pageInfo, count: 1 } : one);
});
const call: Call = operation => operation({ baseUrl: 'https://platform.example', token: 'token', fetch });
const pageOf = (id: string) => {
  const page = peoplePages(call, english).find(each => each.id === id);
  if (!page) throw new Error(`There is no page ${id}.`);
  return page;
};

beforeEach(() => {
  vi.clearAllMocks();
  items = [];
});

describe('Pages for administrators', () => {
  it.each([
    ['users', 'GET /api/v1/users?first=50&after=next&search=an'],
    ['groups', 'GET /api/v1/groups?first=50&after=next&search=an'],
    ['api-keys', 'GET /api/v1/api-keys?first=50&after=next'],
    ['audit-log', 'GET /api/v1/audit-log?first=50&after=next&operation=an'],
  ])('load %s by page and search', async (id, expected) => {
    const found = await pageOf(id).load({ first: 50, after: 'next', search: 'an' }, signal);
    expect(sent.mock.calls).toEqual([[expected]]);
    expect(found.pageInfo).toMatchObject({ hasNextPage: true, endCursor: 'next' });
  });

  it('deactivate and activate users, and end their sessions', async () => {
    const user = { id: 3, username: 'ann', email: 'ann@acme.example', isAdmin: true, notifications: {} };
    items = [user, { ...user, id: 4, isDeactivated: true, firstName: 'Bob', defaultRoles: ['AIBIUser'] }];
    const { items: rows } = await pageOf('users').load({ first: 50 }, signal);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['ann', 'ann@acme.example', 'Administrator', 'Active', 'Never'],
      ['Bob', 'ann@acme.example', 'Administrator, AIBIUser', 'Deactivated', 'Never'],
    ]);
    sent.mockClear();
    for (const action of rows.flatMap(({ actions }) => actions)) await action.run();
    expect(sent.mock.calls.flat()).toEqual([
      'DELETE /api/v1/users/3/sessions',
      'PUT /api/v1/users/3 {"isDeactivated":true}',
      'PUT /api/v1/users/4 {"isDeactivated":false}',
    ]);
    expect(rows.flatMap(({ actions }) => actions.map(({ question }) => question))).toEqual([
      'End all sessions of ann?',
      'Deactivate ann? The user’s API keys, sessions and tokens stop working immediately.',
      null,
    ]);
  });

  it('create groups', async () => {
    await pageOf('groups').create?.run('night shift');
    expect(sent.mock.calls).toEqual([['POST /api/v1/groups {"name":"night shift"}']]);
  });
});
