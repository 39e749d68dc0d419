import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { downloadDashboardExport } from '../../../src/client/operations/dashboard-exports.js';
import { dashboardExports, users } from '../../../src/platform/db/schema.js';
import {
  createExport,
  deleteExpiredExports,
  updateExport,
} from '../../../src/platform/delivery/exports/export-store.js';
import { exportHandler } from '../../../src/platform/delivery/exports/render-export.js';
import type { ReportData } from '../../../src/platform/http/route-deps.js';
import { startMailPlatform } from './mail-platform.js';

const list = '/api/v1/deployments/1/dashboard-exports';
const hasPdfTools = spawnSync('pdftotext', ['-v']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'pa-exports-'));

let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let shared: { id: number; publicId: string };
let own: { id: number; publicId: string };
beforeAll(async () => {
  platform = await startMailPlatform({});
  shared = await platform.publish('shared', { title: 'Flights, today' });
  own = await platform.publish('own', { shared: false });
});
afterEach(async () => {
  await platform.db.delete(dashboardExports);
  expect(platform.failures.splice(0)).toEqual([]);
});
afterAll(async () => {
  await platform?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (body: object) => platform.call('POST', list, { dashboardId: shared.id, format: 'pdf', ...body });
const status = (jobId: string) => platform.call('GET', `${list}/${jobId}`);

/** Starts an export and resolves with its id once it has ended. */
async function ended(body: object): Promise<string> {
  const { jobId } = (await start(body)).body;
  await vi.waitFor(async () => expect((await status(jobId)).body.status).toMatch(/completed|failed/), {
    timeout: 60_000,
    interval: 50,
  });
  return jobId;
}

/** Downloads a file with the client. */
async function fileOf(jobId: string): Promise<Uint8Array> {
  const connection = {
    baseUrl: 'https://platform.example',
    token: 'the-admin-key-of-mails',
    fetch: ((input, init) => platform.platform.fetch(new Request(input, init))) as typeof fetch,
  };
  const blob = await downloadDashboardExport(connection, { deploymentId: 1, jobId });
  return new Uint8Array(await blob.arrayBuffer());
}

function textOf(pdf: Uint8Array): string {
  const file = join(folder, 'file.pdf');
  writeFileSync(file, pdf);
  return execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
}

/** Stores an export of the admin without a job. */
async function stored({ endsWithPage = false } = {}): Promise<string> {
  const [admin] = await platform.db
    .execute<{ id: string }>(sql`select id from users where username = 'admin'`)
    .then(({ rows }) => rows);
  const userId = Number(admin?.id);
  const subject = { userId, role: 'admin', embedTenantId: null, embedTenantName: null, embed: null, context: null };
  const created = await createExport(
    platform.db,
    {
      deploymentId: 1,
      dashboardId: shared.id,
      userId,
      subjectUserId: userId,
      subject: { ...subject, role: 'admin' },
      format: 'png',
      controls: {},
      endsWithPage,
    },
    10,
  );
  return created?.id ?? '';
}

describe('an export', () => {
  it('is rendered by a job and downloaded as an attachment', async () => {
    const jobId = await ended({});
    expect((await status(jobId)).body).toEqual({ status: 'completed', progress: 1, contentType: 'application/pdf' });
    expect(Buffer.from(await fileOf(jobId)).toString('latin1')).toMatch(/^%PDF-/);
    const request = new Request(`https://platform.example${list}/${jobId}/download?filename=Zahlen%20"ä"/..`, {
      headers: { authorization: 'Bearer the-admin-key-of-mails' },
    });
    const { headers } = await platform.platform.fetch(request);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"/]+\.pdf"; filename\*=UTF-8''[^/]+\.pdf$/,
    );
  });

  it('is an image', async () => {
    const jobId = await ended({ format: 'png', dashboardId: undefined, dashboardPublicId: shared.publicId });
    expect([...(await fileOf(jobId)).slice(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it.skipIf(!hasPdfTools)('contains the rows of the subject only', async () => {
    const as = (airport: string) => ({
      renderAs: {
        type: 'EMBED_USER',
        embedTenantName: `of-${airport.toLowerCase()}`,
        externalId: 'visitor',
        securityContext: { airport },
        userAttributes: [],
      },
    });
    const [atlanta, chicago] = [
      textOf(await fileOf(await ended(as('ATL')))),
      textOf(await fileOf(await ended(as('ORD')))),
    ];
    expect([atlanta.includes('Delta'), atlanta.includes('United')]).toEqual([true, false]);
    expect([chicago.includes('Delta'), chicago.includes('United')]).toEqual([false, true]);
  });

  it('compares the external id of its subject without case', async () => {
    const renderAs = { type: 'EMBED_USER', embedTenantName: 'of-atl', externalId: 'Caller' };
    expect((await start({ renderAs })).status).toBe(200);
    const found = await platform.db.select().from(users).where(sql`lower(${users.externalId}) = 'caller'`);
    expect(found.map(({ externalId }) => externalId)).toEqual(['caller']);
  });

  it('is rejected for a dashboard that is not shared with the subject', async () => {
    const renderAs = { type: 'EMBED_USER', embedTenantName: 'of-atl', externalId: 'visitor' };
    expect((await start({ dashboardId: own.id, renderAs })).status).toBe(403);
    expect(await start({ renderAs: { type: 'USER', email: 'nobody@example.com' } })).toMatchObject({ status: 404 });
    expect(await start({ renderAs: { type: 'USER' } })).toMatchObject({ status: 400 });
  });

  it('is rejected if downloads are restricted', async () => {
    await platform.ok('PUT', '/api/v1/app-config', { restrictDataDownload: true });
    expect((await start({})).status).toBe(403);
    // An export that was started before cannot be downloaded either.
    const download = `${list}/${await stored()}/download`;
    expect(await platform.call('GET', download)).toMatchObject({ status: 403 });
    await platform.ok('PUT', '/api/v1/app-config', { restrictDataDownload: false });
    expect(await platform.call('GET', download)).toMatchObject({ status: 409 });
  });

  it('requires exactly one dashboard, which is published', async () => {
    expect((await start({ dashboardPublicId: shared.publicId })).status).toBe(400);
    expect((await start({ dashboardId: undefined })).status).toBe(400);
    expect((await start({ dashboardId: 999_999 })).status).toBe(404);
  });

  it('cannot be downloaded before it has ended, after a failure, or after it has expired', async () => {
    const id = await stored();
    const download = () => platform.call('GET', `${list}/${id}/download`);
    expect((await download()).status).toBe(409);
    await updateExport(platform.db, id, { status: 'failed', error: 'export_dashboard_gone' });
    expect(await download()).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('no longer available') },
    });
    expect((await status(id)).body).toMatchObject({
      status: 'failed',
      error: 'The dashboard is no longer available.',
      errorCode: 'export_dashboard_gone',
    });
    await platform.db
      .update(dashboardExports)
      .set({ expiresAt: new Date(0) })
      .where(eq(dashboardExports.id, id));
    expect([(await status(id)).status, (await download()).status]).toEqual([404, 404]);
    await deleteExpiredExports(platform.db);
    expect(await platform.db.select().from(dashboardExports)).toEqual([]);
  });

  /** Runs a job whose rows never arrive, and resolves when it stops. */
  async function hangingJob(id: string, begun: () => void): Promise<void> {
    const load: ReportData['load'] = (_query, { signal }) =>
      new Promise((_resolve, reject) => {
        begun();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const data = { meta: async () => ({ cubes: [] }), load, sql: load } as unknown as ReportData;
    const onFailure = (error: unknown) => platform.failures.push(String(error));
    const handler = exportHandler({ db: platform.db, dataOf: () => data, onFailure });
    await handler.run({ exportId: id }, new AbortController().signal);
  }

  const leave = (id: string) =>
    platform.db
      .update(dashboardExports)
      .set({ polledAt: sql`now() - interval '31 seconds'` })
      .where(eq(dashboardExports.id, id));

  it.each(['is canceled', 'is left by its page'])('stops while it loads rows, if it %s', async reason => {
    const id = await stored({ endsWithPage: true });
    let begun = () => {};
    const isLoading = new Promise<void>(resolve => {
      begun = resolve;
    });
    const ended = hangingJob(id, begun);
    await isLoading;
    if (reason === 'is canceled') expect((await platform.call('DELETE', `${list}/${id}`)).status).toBe(204);
    else await leave(id);
    await ended;
    await deleteExpiredExports(platform.db);
    expect(await platform.db.select().from(dashboardExports)).toEqual([]);
  });

  it('stops while it loads rows, if its subject is deactivated, and its file is not sent', async () => {
    const renderAs = { type: 'EMBED_USER', embedTenantName: 'of-atl', externalId: 'leaver' };
    const finished = await ended({ format: 'png', renderAs });
    const download = () => platform.call('GET', `${list}/${finished}/download`);
    expect((await download()).status).toBe(200);
    const [leaver] = await platform.db
      .select({ id: dashboardExports.subjectUserId })
      .from(dashboardExports)
      .where(eq(dashboardExports.id, finished));
    const id = await stored();
    await platform.db
      .update(dashboardExports)
      .set({ subjectUserId: leaver?.id ?? 0 })
      .where(eq(dashboardExports.id, id));
    let begun = () => {};
    const isLoading = new Promise<void>(resolve => {
      begun = resolve;
    });
    const stopped = hangingJob(id, begun);
    await isLoading;
    await platform.db
      .update(users)
      .set({ deactivatedAt: new Date() })
      .where(eq(users.id, leaver?.id ?? 0));
    await stopped;
    expect((await status(id)).body).toMatchObject({ status: 'failed', errorCode: 'export_failed' });
    expect((await download()).status).toBe(404);
  });

  it('is not started if its page has left, and does not count as in progress', async () => {
    for (let index = 0; index < 10; index += 1) await leave(await stored({ endsWithPage: true }));
    const id = await stored({ endsWithPage: true });
    expect(id).not.toBe('');
    await leave(id);
    await hangingJob(id, () => {
      throw new Error('It was started.');
    });
    // The page polls again after the export was stopped.
    expect(await status(id)).toMatchObject({ body: { status: 'failed', errorCode: 'export_failed' } });
    const kept = await stored({ endsWithPage: true });
    await platform.db
      .update(dashboardExports)
      .set({ polledAt: sql`now() - interval '29 seconds'` })
      .where(eq(dashboardExports.id, kept));
    await status(kept);
    const [row] = await platform.db.select().from(dashboardExports).where(eq(dashboardExports.id, kept));
    expect(Date.now() - Number(row?.polledAt)).toBeLessThan(20_000);
  });

  it.each([{ widgetId: 'none' }, { reportId: 999 }])('fails if its part does not exist: %j', async part => {
    const jobId = await ended({ format: 'png', ...part });
    expect((await status(jobId)).body).toMatchObject({ status: 'failed', errorCode: 'export_widget_unknown' });
  });

  it('is limited to ten in progress per subject', async () => {
    for (let index = 0; index < 10; index += 1) await stored();
    expect(await stored()).toBe('');
    expect((await start({})).status).toBe(429);
  });
});
