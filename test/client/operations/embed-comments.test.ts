import { expect, test } from 'vitest';
import { updateDashboardEmbedding } from '../../../src/client/operations/embed.js';
import * as comments from '../../../src/client/operations/embed-comments.js';
import { json } from '../fake-service.js';

const publicId = 'AbCdEf123456';
const comment = { id: 7, dashboardId: publicId, userId: 3, body: 'Why?', createdAt: '2026-01-01', isOwn: true };
const thread = { root: comment, replies: [], resolvedAt: null, resolvedBy: null };
const pageInfo = { hasNextPage: false, hasPreviousPage: false };
const of = { publicId, commentId: 7 };

/** Returns a connection to a service with one response, and the requests it received. */
function serviceReturning(answer: unknown) {
  const seen: string[] = [];
  const connection = {
    baseUrl: 'https://platform.example',
    token: 'a-token',
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const { pathname, search } = new URL(String(input));
      const path = `${pathname}${search}`.replace(`/api/v1/embed/dashboard/${publicId}`, '');
      seen.push([init.method, path, init.body].filter(Boolean).join(' '));
      return answer === undefined ? new Response(null, { status: 204 }) : json(answer);
    },
  };
  return { connection, seen };
}

type Connection = ReturnType<typeof serviceReturning>['connection'];

test.each<[string, unknown, (connection: Connection) => Promise<unknown>]>([
  [
    'GET /comments?first=5&includeResolved=true',
    { items: [thread], pageInfo },
    to => comments.listDashboardComments(to, publicId, { first: 5, includeResolved: true }),
  ],
  [
    'POST /comments {"body":"Why?","parentId":2}',
    comment,
    to => comments.createDashboardComment(to, publicId, { body: 'Why?', parentId: 2 }),
  ],
  [
    'GET /comments/mentionable-users?search=a%25',
    { items: [{ id: 3, username: 'ann' }], pageInfo },
    to => comments.listMentionableUsers(to, publicId, { search: 'a%' }),
  ],
  ['PUT /comments/read {"upTo":9}', undefined, to => comments.readDashboardComments(to, publicId, { upTo: 9 })],
  ['PATCH /comments/7 {"body":"So?"}', comment, to => comments.updateDashboardComment(to, of, { body: 'So?' })],
  ['DELETE /comments/7', undefined, to => comments.removeDashboardComment(to, of)],
  [
    'POST /comments/7/resolve {"resolved":true}',
    thread,
    to => comments.setDashboardCommentResolved(to, of, { resolved: true }),
  ],
  [
    'PATCH {"allowEmbed":true}',
    { publicId, allowEmbed: true },
    to => updateDashboardEmbedding(to, publicId, { allowEmbed: true }),
  ],
])('sends %s and returns the response', async (asked, answer, ask) => {
  const { connection, seen } = serviceReturning(answer);
  expect(await ask(connection)).toEqual(answer);
  expect(seen).toEqual([asked]);
});
