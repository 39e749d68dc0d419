import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbedGrant } from '../../src/contract/embed-grant.js';
import { exportHandler } from '../../src/node/export-handler.js';
import { dashboardExports } from '../../src/platform/db/schema.js';
import { startMailPlatform } from '../platform/delivery/mail-platform.js';

// Viewers and pages that try to read, disturb or break exports.

const apiKey = 'the-admin-key-of-mails';
const list = '/api/v1/deployments/1/dashboard-exports';

let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let shared: { id: number; publicId: string };
beforeAll(async () => {
  platform = await startMailPlatform({});
  shared = await platform.publish('shared', { title: 'Flights' });
});
afterEach(async () => {
  await platform.db.delete(dashboardExports);
  expect(platform.failures.splice(0)).toEqual([]);
});
afterAll(() => platform?.stop());

const grantOf = (externalId: string, more: Partial<EmbedGrant> = {}): EmbedGrant => ({
  deploymentId: 1,
  externalId,
  embedTenantName: 'of-atl',
  securityContext: { airport: 'ATL' },
  roles: ['AIBIViewer'],
  ...more,
});

function pageOf(grant: EmbedGrant) {
  const onError = vi.fn();
  const fetch = ((input, init) => platform.platform.fetch(new Request(input, init))) as typeof globalThis.fetch;
  const handle = exportHandler({ baseUrl: 'https://platform.example', apiKey, fetch, onError, grantFor: () => grant });
  const call = (method: string, query = '', body?: string) =>
    handle(
      new Request(`https://app.example/api/export${query}`, {
        method,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body }),
      }),
    );
  const post = (body: object) => call('POST', '', JSON.stringify({ dashboardPublicId: shared.publicId, ...body }));
  const start = async (body: object): Promise<string> => (await (await post(body)).json()).job;
  const ended = async (body: object): Promise<string> => {
    const job = await start(body);
    await vi.waitFor(
      async () => expect((await (await call('GET', `?job=${job}`)).json()).status).toMatch(/completed|failed/),
      { timeout: 60_000, interval: 50 },
    );
    return job;
  };
  return { call, post, start, ended, onError };
}

/** Returns a token of a viewer, as the viewer's page would have it. */
async function tokenOf(grant: EmbedGrant): Promise<string> {
  const { deploymentId, ...rest } = grant;
  const { sessionId } = await platform.ok('POST', '/api/v1/embed/generate-session', { deploymentId, ...rest });
  const { token } = await platform.ok('POST', '/api/v1/embed/session/token', { sessionId });
  return token;
}

describe('a viewer', () => {
  it('reads and cancels no export of another viewer of the same tenant, nor of one without a tenant', async () => {
    const job = await pageOf(grantOf('rosa')).ended({ format: 'csv', widgetId: 'tile' });
    const { embedTenantName: _, ...withoutTenant } = grantOf('rosa');
    const strangers = [grantOf('otto'), grantOf('rosa', { embedTenantName: 'of-ord' }), withoutTenant];
    for (const stranger of strangers) {
      for (const [method, query] of [
        ['GET', ''],
        ['GET', '&file'],
        ['DELETE', ''],
      ] as const) {
        expect((await pageOf(stranger).call(method, `?job=${job}${query}`)).status).toBe(404);
      }
    }
    expect((await pageOf(grantOf('rosa')).call('GET', `?job=${job}&file`)).status).toBe(200);
  });

  it('cannot change, extend or repeat the job in the query', async () => {
    const { call, start } = pageOf(grantOf('rosa'));
    const [job, other] = [await start({ format: 'png' }), await start({ format: 'pdf' })];
    const [id = '', signature = ''] = job.split('.');
    const [otherId = ''] = other.split('.');
    const forged = [
      `${otherId}.${signature}`,
      `${id}.${signature.slice(0, -1)}0x`,
      `${id}.`,
      `.${signature}`,
      `../${id}.${signature}`,
      `${id}%00.${signature}`,
      'a'.repeat(20_000),
      '%F0%9F%A6%8A.%FF',
    ];
    for (const query of forged) expect((await call('GET', `?job=${query}`)).status, query.slice(0, 80)).toBe(404);
    expect((await call('GET', `?job=${otherId}.x&job=${job}`)).status).toBe(404);
  });

  it('cannot use the operations for exports with the token of its page', async () => {
    const job = await pageOf(grantOf('rosa')).ended({ format: 'png' });
    const [jobId = ''] = job.split('.');
    const authorization = `Bearer ${await tokenOf(grantOf('rosa'))}`;
    const start = { dashboardPublicId: shared.publicId, format: 'png' };
    const sessionId = 'ab'.repeat(16);
    const attempts = [
      await platform.call('POST', list, start, { authorization }),
      await platform.call('POST', list, { ...start, renderAs: { type: 'USER', userId: 1 } }, { authorization }),
      await platform.call(
        'POST',
        list,
        { ...start, renderAs: { type: 'EMBED_SESSION', sessionId } },
        { authorization },
      ),
      await platform.call('GET', `${list}/${jobId}`, undefined, { authorization }),
      await platform.call('GET', `${list}/${jobId}/download`, undefined, { authorization }),
      await platform.call('DELETE', `${list}/${jobId}`, undefined, { authorization }),
    ];
    for (const { status } of attempts) expect([403, 404]).toContain(status);
    expect((await platform.call('GET', `${list}/${jobId}`)).status).toBe(200);
  });

  it('cannot use a session twice, of another deployment, or after its tenant was deleted', async () => {
    const { sessionId } = await platform.ok('POST', '/api/v1/embed/generate-session', grantOf('rosa'));
    const start = (id: string) =>
      platform.call('POST', list, {
        dashboardId: shared.id,
        format: 'csv',
        widgetId: 'tile',
        renderAs: { type: 'EMBED_SESSION', sessionId: id },
      });
    const both = await Promise.all([start(sessionId), start(sessionId)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const gone = await platform.ok(
      'POST',
      '/api/v1/embed/generate-session',
      grantOf('eve', { embedTenantName: 'gone' }),
    );
    const { items } = await platform.ok('GET', '/api/v1/embed-tenants?first=100');
    expect(JSON.stringify(items)).toContain('"gone"');
    await platform.ok('DELETE', '/api/v1/embed-tenants/gone');
    expect((await start(gone.sessionId)).status).toBeGreaterThanOrEqual(400);
  });

  it('gets no file once the tenant is deleted, whether or not it was rendered', async () => {
    const { call, start, ended } = pageOf(grantOf('eve', { embedTenantName: 'short-lived' }));
    const body = { format: 'csv', widgetId: 'tile' };
    const jobs = [await ended(body), await start(body)];
    await platform.ok('DELETE', '/api/v1/embed-tenants/short-lived');
    for (const job of jobs) {
      expect((await call('GET', `?job=${job}`)).status).toBe(404);
      expect((await call('GET', `?job=${job}&file`)).status).toBe(404);
    }
  });
});

describe('a page', () => {
  it('gets a client error or a file for hostile control values, never a failure of the server', async () => {
    const { post, call, onError } = pageOf(grantOf('rosa'));
    const member = 'flights.carrier';
    const long = 'x'.repeat(1_000);
    const bodies: object[] = [
      { filters: Array.from({ length: 101 }, () => ({ member, operator: 'equals', value: 'a' })) },
      { filters: [{ member, operator: 'equals', value: Array.from({ length: 1_001 }, () => 'a') }] },
      { filters: [{ member: '__proto__.constructor', operator: 'equals', value: ['a'] }] },
      { filters: [{ member: "flights.carrier'; drop table users; --", operator: 'equals', value: ["' or 1=1 --"] }] },
      {
        filters: Array.from({ length: 50 }, (_, index) => ({ member: `a.b${index}`, operator: 'equals', value: long })),
      },
      { filters: [{ member, operator: 'inDateRange', value: ['\u202e', '9999999999-99-99'] }] },
      { memberSwitchers: [{ member: '__proto__.x', selected: 'constructor' }] },
      { timeGrains: [{ member, grain: 'millennium' }] },
      { widgetId: '../../etc/passwd' },
      { reportId: Number.MAX_SAFE_INTEGER },
      { locale: 'x-y', timezone: 'Mars/Olympus' },
      { locale: '-' },
      { timezone: 'Etc/UTC\r\nX: y' },
      { renderAs: { type: 'USER', userId: 1 } },
      { dashboardId: 1 },
      { format: 'exe' },
    ];
    for (const body of bodies) {
      const response = await post({ format: 'png', ...body });
      const { job } = await response.json();
      expect([202, 400, 404, 413], JSON.stringify(body).slice(0, 100)).toContain(response.status);
      if (response.status !== 202) continue;
      await vi.waitFor(
        async () => expect((await (await call('GET', `?job=${job}`)).json()).status).toMatch(/completed|failed/),
        { timeout: 60_000, interval: 50 },
      );
      const ended = await (await call('GET', `?job=${job}`)).json();
      expect([undefined, 'export_widget_unknown'], JSON.stringify(body).slice(0, 100)).toContain(ended.errorCode);
    }
    for (const text of ['[]', 'null', '{"__proto__":{"format":"png"}}', '{', '"x"'])
      expect((await call('POST', '', text)).status).toBe(400);
    expect(onError).not.toHaveBeenCalled();
  });

  it('cannot choose a file name with a path or a header', async () => {
    const { call, ended } = pageOf(grantOf('rosa'));
    const job = await ended({ format: 'png' });
    const [jobId = ''] = job.split('.');
    const names = [
      '../../etc/passwd',
      'a\r\nx-evil: 1',
      'C:\\con',
      '"; filename="evil.exe',
      '\u202egnp.exe',
      '.',
      'nul',
    ];
    for (const name of names) {
      const page = await call('GET', `?job=${job}&file&name=${encodeURIComponent(name)}`);
      expect([page.status, page.headers.get('content-disposition')]).toEqual([200, 'attachment']);
      const request = new Request(
        `https://platform.example${list}/${jobId}/download?filename=${encodeURIComponent(name)}`,
        {
          headers: { authorization: `Bearer ${apiKey}` },
        },
      );
      const { status, headers } = await platform.platform.fetch(request);
      expect(status).toBe(200);
      expect(headers.get('x-evil')).toBe(null);
      const [, plain = '', encoded = ''] =
        /^attachment; filename="([^"\\/]+)"; filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '') ??
        [];
      expect(plain).toMatch(/\.png$/);
      expect(decodeURIComponent(encoded)).toMatch(/^[^\\/:"\u202e]+\.png$/);
    }
  });

  it('can cancel an export while it also downloads and polls it', async () => {
    const { call, ended, start } = pageOf(grantOf('rosa'));
    for (let round = 0; round < 12; round += 1) {
      const job = round % 2 === 0 ? await ended({ format: 'csv', widgetId: 'tile' }) : await start({ format: 'png' });
      const responses = await Promise.all([
        call('GET', `?job=${job}&file`),
        call('DELETE', `?job=${job}`),
        call('GET', `?job=${job}`),
        call('DELETE', `?job=${job}`),
        call('GET', `?job=${job}&file`),
      ]);
      for (const { status } of responses) expect([200, 204, 404, 409]).toContain(status);
      expect((await call('GET', `?job=${job}`)).status).toBe(404);
    }
  });
});
