import { readXlsx } from 'hucre/xlsx';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbedGrant } from '../../src/contract/embed-grant.js';
import { exportHandler } from '../../src/node/export-handler.js';
import { dashboardExports } from '../../src/platform/db/schema.js';
import { waitTimeoutMs } from '../eventually.js';
import { startMailPlatform } from '../platform/delivery/mail-platform.js';

const url = 'https://app.example/api/export';
const apiKey = 'the-admin-key-of-mails';

let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let shared: { id: number; publicId: string };
beforeAll(async () => {
  platform = await startMailPlatform({});
  shared = await platform.publish('shared', { title: 'Flights, today' });
});
afterEach(async () => {
  await platform.db.delete(dashboardExports);
});
afterAll(() => platform?.stop());

const grantOf = (airport: string, more: Partial<EmbedGrant> = {}): EmbedGrant => ({
  deploymentId: 1,
  externalId: `visitor-${airport}`,
  embedTenantName: `of-${airport.toLowerCase()}`,
  securityContext: { airport },
  roles: ['AIBIViewer'],
  ...more,
});

function handlerFor(grant: EmbedGrant | null) {
  const onError = vi.fn();
  const fetch = ((input, init) => platform.platform.fetch(new Request(input, init))) as typeof globalThis.fetch;
  const baseUrl = 'https://platform.example';
  const handle = exportHandler({ baseUrl, apiKey, fetch, onError, grantFor: () => grant });
  const call = (method: string, query = '', body?: object, headers: Record<string, string> = {}) =>
    handle(
      new Request(`${url}${query}`, {
        method,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const start = async (body: object) => {
    const response = await call('POST', '', { dashboardPublicId: shared.publicId, ...body });
    return { status: response.status, body: await response.json() };
  };
  return { call, start, onError };
}

type Handler = ReturnType<typeof handlerFor>;

/** Starts an export and returns its response once it is complete. */
async function fileOf({ call, start }: Handler, body: object): Promise<Response> {
  const { job } = (await start(body)).body;
  const state = async () => (await call('GET', `?job=${job}`)).json();
  // Each request creates a session, so a short interval would keep the platform busy.
  await vi.waitFor(
    async () => expect(await state(), platform.failures.join('\n')).toMatchObject({ status: 'completed' }),
    { timeout: 3 * waitTimeoutMs, interval: 500 },
  );
  return call('GET', `?job=${job}&file`);
}

describe('the export handler', () => {
  it('exports the rows of the viewer as a workbook with types, in which text is never a formula', async () => {
    const response = await fileOf(handlerFor(grantOf('ATL')), { format: 'xlsx' });
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    const cells = sheets.flatMap(({ rows }) => rows.flat());
    expect(cells).toContain('=2+5');
    expect(cells).toContain(2);
    expect(cells.join()).not.toContain('United');
    expect(sheets[0]?.freezePane).toMatchObject({ rows: 1 });
    const formulas = sheets.flatMap(({ cells: all }) => [...(all?.values() ?? [])].filter(({ formula }) => formula));
    expect(formulas).toEqual([]);
  });

  it('exports one widget as CSV without formulas, and rejects a CSV of a whole dashboard', async () => {
    const handler = handlerFor(grantOf('ATL'));
    const csv = await (await fileOf(handler, { format: 'csv', widgetId: 'tile' })).text();
    expect(csv).toContain("'=2+5");
    expect(await handler.start({ format: 'csv' })).toMatchObject({
      status: 400,
      body: { message: 'body.format: csv requires widgetId or reportId' },
    });
  });

  it('rejects a viewer without DownloadData, regardless of what the page requests', async () => {
    const { start } = handlerFor(grantOf('ATL', { roles: [] }));
    for (const format of ['png', 'pdf', 'xlsx']) {
      expect(await start({ format })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('Downloads of data are restricted.') },
      });
    }
    expect(await start({ format: 'png', renderAs: { type: 'USER', userId: 1 } })).toMatchObject({ status: 400 });
  });

  it('hides exports of one viewer from another', async () => {
    const { job } = (await handlerFor(grantOf('ATL')).start({ format: 'png' })).body;
    const other = handlerFor(grantOf('ORD'));
    for (const [method, query] of [
      ['GET', `?job=${job}`],
      ['GET', `?job=${job}&file`],
      ['DELETE', `?job=${job}`],
      ['GET', `?job=${String(job).split('.')[0]}`],
      ['GET', ''],
    ] as const) {
      expect((await other.call(method, query)).status).toBe(404);
    }
  });

  it('completes twenty exports of two viewers at once, each with its own rows', async () => {
    const viewers = ['ATL', 'ORD'].map(airport => ({ airport, handler: handlerFor(grantOf(airport)) }));
    const files = await Promise.all(
      viewers.flatMap(({ airport, handler }) =>
        Array.from({ length: 10 }, async () => {
          const text = await (await fileOf(handler, { format: 'csv', widgetId: 'tile' })).text();
          return [airport, text.includes('Delta'), text.includes('United')];
        }),
      ),
    );
    expect(files).toHaveLength(20);
    for (const [airport, hasDelta, hasUnited] of files) {
      expect([hasDelta, hasUnited]).toEqual([airport === 'ATL', airport === 'ORD']);
    }
  });

  it('cancels an export', async () => {
    const { call, start } = handlerFor(grantOf('ATL'));
    const { job } = (await start({ format: 'pdf' })).body;
    expect((await call('DELETE', `?job=${job}`)).status).toBe(204);
    expect((await call('GET', `?job=${job}`)).status).toBe(404);
  });

  it('rejects strangers, other sites, other methods and forms before any request', async () => {
    const { call, onError } = handlerFor(grantOf('ATL'));
    const body = { dashboardPublicId: shared.publicId, format: 'png' };
    expect((await handlerFor(null).call('POST', '', body)).status).toBe(401);
    expect((await call('POST', '', body, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await call('PUT', '', body)).status).toBe(405);
    expect((await call('POST', '', body, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await call('POST', '', { ...body, locale: 'x'.repeat(70_000) })).status).toBe(413);
    expect(onError).not.toHaveBeenCalled();
  });

  it('hides why the platform rejects its key', async () => {
    const onError = vi.fn();
    const fetch = ((input, init) => platform.platform.fetch(new Request(input, init))) as typeof globalThis.fetch;
    const options = { baseUrl: 'https://platform.example', apiKey: 'wrong-key-of-exports', fetch, onError };
    const handle = exportHandler({ ...options, grantFor: () => grantOf('ATL') });
    const body = JSON.stringify({ dashboardPublicId: shared.publicId, format: 'png' });
    const response = await handle(
      new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    );
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('wrong-key');
    expect(onError).toHaveBeenCalledOnce();
  });
});
