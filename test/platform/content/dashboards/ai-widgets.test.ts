import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboardQueries } from '../../../../src/platform/content/dashboards/dashboard-queries.js';
import { findPinnedReports } from '../../../../src/platform/content/dashboards/resolve-ai-widgets.js';
import { findViewerDashboard } from '../../../../src/platform/content/dashboards/viewer-dashboards.js';
import { chatThreads } from '../../../../src/platform/db/schema.js';
import { mcpTools } from '../../../../src/platform/mcp/mcp-tools.js';
import { type Server, startShared } from '../../data/tenants.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';
import { type StoredResult, storeThread } from './stored-thread.js';

let platform: TestPlatform;
let server: Server;
beforeAll(async () => {
  [platform, server] = await Promise.all([startTestPlatform(), startShared()]);
  platform.dataOf.mockImplementation(({ tenant }) => server.dataOf(String(tenant)));
});
afterAll(() => Promise.all([platform.stop(), server.close()]));

const position = { x: 0, y: 0, w: 2, h: 2 };
const ids = ['first', 'second'];
const widgets = ids.map(id => ({ id, type: 'AI', position, config: { prompt: 'Why?' } }));
const byCity: StoredResult = {
  query: { measures: ['orders.count'], dimensions: ['orders.city'] },
  vegaSpec: JSON.stringify({ title: 'Private', mark: 'bar', encoding: { y: { field: 'orders.city' } } }),
  queryTitle: 'Private',
  data: [['tenant_a Rom', '35']],
};

/** Creates a published dashboard with two AI widgets, shared with all tenants. */
async function publish() {
  const { id } = await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'Board' });
  const path = `/api/v1/deployments/1/workbooks/${id}`;
  const { publicId } = await platform.ok('POST', `${path}/publish`, { config: { widgets } });
  await platform.ok('PUT', `${path}/embed-access`, { allowEmbed: true, allEmbedUsers: true, action: 'read' });
  return {
    publicId,
    pin: (widgetId: string, body: object) =>
      platform.ok('POST', `${path}/dashboard/ai-widget-thread`, { widgetId, ...body }),
    read: (credential?: string) =>
      platform.call('GET', `/api/v1/embed/dashboard/${publicId}/ai-widgets`, undefined, credential),
  };
}

const sessionOf = (tenant: string, more: object = {}) =>
  platform.tokenOf({ embedTenantName: tenant.replace('_', '-'), securityContext: { tenant }, ...more });
const statesOf = ({ body }: { readonly body: { readonly items: { readonly state: string }[] } }) =>
  body.items.map(({ state }) => state);

describe('AI widgets for a viewer', () => {
  test('show query and chart of the pinned answer, without text and rows of its thread', async () => {
    const { pin, read } = await publish();
    expect((await read(await sessionOf('tenant_b'))).body).toEqual({
      canPin: false,
      items: ids.map(widgetId => ({ widgetId, state: 'empty' })),
    });
    const { threadId, checksums } = await storeThread(platform.db, [byCity, { query: { measures: ['orders.total'] } }]);
    await pin('first', { threadId, checksum: checksums[0] });
    await pin('second', { threadId });
    const { body } = await read(await sessionOf('tenant_b'));
    const { items } = body;
    expect(items).toMatchObject([
      {
        widgetId: 'first',
        state: 'ready',
        snapshot: { kind: 'vega', spec: { mark: { type: 'bar' } }, title: 'Count · City' },
      },
      {
        widgetId: 'second',
        state: 'ready',
        snapshot: { kind: 'kpi', meta: { jsonQuery: { measures: ['orders.total'] } } },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/private|tenant_a|Why/i);
  });

  test('keep the pinned answer when the thread continues, and report a deleted answer or thread', async () => {
    const { pin, read } = await publish();
    const viewer = await sessionOf('tenant_b');
    const one = await storeThread(platform.db, [byCity, byCity, { query: { measures: ['orders.count'] } }]);
    const other = await storeThread(platform.db, [byCity]);
    await pin('first', { threadId: one.threadId, checksum: one.checksums[0] });
    await pin('second', { threadId: other.threadId });
    expect((await read(viewer)).body.items[0].snapshot.kind).toBe('vega');
    await platform.db.delete(chatThreads).where(eq(chatThreads.id, other.threadId));
    expect(statesOf(await read(viewer))).toEqual(['ready', 'deleted']);
    await platform.db.execute(`delete from chat_turns where thread_id = '${one.threadId}'`);
    expect(statesOf(await read(viewer))).toEqual(['deleted', 'deleted']);
  });

  test('are unavailable without a model, with AI off, or if the viewer cannot see a member', async () => {
    const { pin, read } = await publish();
    const { threadId, checksums } = await storeThread(platform.db, [
      { query: { measures: ['orders.leaked'] } },
      byCity,
    ]);
    const [hidden, shown] = checksums;
    await pin('first', { threadId, checksum: hidden });
    await pin('second', { threadId, checksum: shown });
    expect(statesOf(await read(await sessionOf('tenant_b')))).toEqual(['unavailable', 'ready']);
    const off = await sessionOf('tenant_b', { settings: { allowAi: false } });
    expect(statesOf(await read(off))).toEqual(['unavailable', 'unavailable']);
    // `showAiWidgets: false` forbids only changes.
    const fixed = await sessionOf('tenant_b', { settings: { showAiWidgets: false } });
    expect(statesOf(await read(fixed))).toEqual(['unavailable', 'ready']);
    platform.dataOf.mockReturnValueOnce(null);
    expect(statesOf(await read(await sessionOf('tenant_b')))).toEqual(['unavailable', 'unavailable']);
  });

  test('are reports for agents, made for the viewer: for questions about a tile, and for MCP clients', async () => {
    const { publicId, pin } = await publish();
    const { threadId } = await storeThread(platform.db, [byCity]);
    await pin('first', { threadId });
    const data = server.dataOf('tenant_b');
    const { signal } = new AbortController();
    const viewer = { deploymentId: 1, userId: 1, embedTenantId: null };
    const found = await findViewerDashboard(platform.db, viewer, publicId);
    if (!found) throw new Error('not published');
    const read = async (expected?: (widgetId: string) => boolean) => {
      const answers = await findPinnedReports(platform.db, found, { data, signal }, expected);
      return dashboardQueries(found, { dashboardPublicId: publicId, tiles: ['first'] }, await data.meta(), answers);
    };
    const { tiles, selected } = await read();
    expect(selected).toEqual(['first']);
    expect(tiles).toMatchObject([{ widgetId: 'first', title: 'Count · City', query: byCity.query }]);
    const { rowSet } = await data.load(tiles[0]?.query ?? {}, { signal });
    expect(rowSet.rows.length).toBeGreaterThan(0);
    expect(JSON.stringify([tiles, rowSet.rows])).not.toMatch(/private|tenant_a/i);
    expect((await read(widgetId => widgetId === 'second')).tiles).toEqual([]);

    const tool = mcpTools.find(({ name }) => name === 'get_dashboard');
    const sql = { run: () => Promise.reject(new Error('unused')) };
    const summary = await tool?.run({ publicId }, { db: platform.db, data, sql, viewer }, signal);
    expect(summary?.reports).toMatchObject([{ title: 'Count · City', kind: 'vega', query: byCity.query }]);
    expect(JSON.stringify(summary)).not.toMatch(/private|tenant_a/i);
  });

  test('ignore messages that contain no valid query', async () => {
    const { pin, read } = await publish();
    const { threadId } = await storeThread(platform.db, [byCity]);
    await pin('first', { threadId });
    const results = ['', 'null', '[]', '{', '{"query":[]}', '{"query":"SELECT 1"}', '{"error":"\\u0000"}', '"\\ud800"'];
    const frames = results.map(result => ({ id: 's', toolCall: { name: 'dataQuery', input: '\0\ud800', result } }));
    for (const [place, frame] of frames.entries()) {
      await platform.db.execute(
        `insert into chat_messages (turn_id, position, frame) select id, ${place + 10}, '${JSON.stringify(frame).replaceAll("'", "''")}'::json from chat_turns where thread_id = '${threadId}'`,
      );
    }
    expect(statesOf(await read(await sessionOf('tenant_b')))).toEqual(['ready', 'empty']);
  });

  test('can be changed only by callers with edit access whose session allows it', async () => {
    const { read } = await publish();
    expect((await read()).body.canPin).toBe(true);
    expect((await read(await sessionOf('tenant_b'))).body.canPin).toBe(false);
    const admin = { internalId: 'admin' };
    const canPin = async (settings: object) =>
      (await read(await platform.tokenOf({ externalId: null, ...admin, settings }))).body.canPin;
    expect(await canPin({})).toBe(true);
    expect(await canPin({ showAiWidgets: false })).toBe(false);
    expect(await canPin({ allowChatWorkspaceAuthoring: false })).toBe(false);
    expect(await canPin({ allowAi: false })).toBe(false);
  });

  test('are hidden with their dashboard', async () => {
    const { publicId } = await publish();
    await platform.ok('PATCH', `/api/v1/embed/dashboard/${publicId}`, { allowEmbed: false });
    const list = (id: string, credential?: string) =>
      platform.call('GET', `/api/v1/embed/dashboard/${id}/ai-widgets`, undefined, credential);
    expect(await list(publicId, await sessionOf('tenant_b'))).toMatchObject({ status: 403 });
    expect(await list('Unknown00000')).toMatchObject({ status: 404 });
  });
});
