import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appFramePath } from '../../../../src/contract/app-bridge.js';
import { appFrame } from '../../../../src/platform/http/app-frame/app-frame.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const position = { x: 0, y: 0, w: 4, h: 3 };
const html = '<h1>Flights</h1>';

/** Publishes an app with a report in a new workbook. */
async function publish(app: object | null, credential?: string) {
  const { id } = await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'App' }, credential);
  const report = { name: 'Flights', jsonQuery: '{"measures":["flights.count"]}' };
  const { id: reportId } = await platform.ok('POST', '/api/v1/deployments/1/reports', report, credential);
  const widgets = [{ id: 'chart', type: 'CHART', position, config: { reportId } }];
  const config = { kind: 'APP', widgets, ...(app && { app }) };
  return platform.call('POST', `/api/v1/deployments/1/workbooks/${id}/publish`, { config }, credential);
}

describe('publishing a dashboard of kind APP', () => {
  test('freezes the reports of its charts and returns its source', async () => {
    const app = { html, files: { 'lib/index.js': 'show();' }, entry: 'lib/index.js', manifest: { version: 1 } };
    const { status, body } = await publish(app);
    expect(status).toBe(200);
    expect(body).toMatchObject({ config: { kind: 'APP', app }, reportSnapshots: [{ name: 'Flights' }] });
  });

  test.each([
    [
      'dependencies',
      { html, manifest: { dependencies: { d3: '7' } } },
      'config.app.manifest.dependencies: must be empty',
    ],
    ['an entry that does not exist', { html, files: { 'a.js': '' }, entry: 'b.js' }, 'config.app.entry: must be'],
    ['an entry that is inherited', { html, files: {}, entry: 'constructor.js' }, 'config.app.entry: must be'],
    ['an entry that is no script', { html, files: { 'a.css': '' }, entry: 'a.css' }, 'config.app.entry: must be'],
    ['a path to another folder', { html, files: { '../a.js': '' } }, 'config.app.files: the name "../a.js"'],
    ['neither a page nor an entry', { files: { 'a.js': '' } }, 'config.app.html: is required'],
    ['no source', null, 'config.app.html: is required'],
  ])('rejects %s', async (_name, app, message) => {
    const { status, body } = await publish(app);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('is not possible in an embed session, whose user can publish other dashboards', async () => {
    const token = await platform.tokenOf({ creatorMode: true });
    const { status, body } = await publish({ html }, token);
    expect([status, body.message]).toEqual([403, 'Only users of the account can publish dashboards of kind APP.']);
  });

  test('does not check the app of a draft, nor of another dashboard', async () => {
    const app = { manifest: { dependencies: { d3: '7' } } };
    const { id } = await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'Draft' });
    const path = `/api/v1/deployments/1/workbooks/${id}`;
    await platform.ok('PUT', path, { meta: { dashboardDraft: { kind: 'APP', app, widgets: [] } } });
    expect((await platform.call('POST', `${path}/publish`, {})).status).toBe(400);
    const config = { kind: 'CLASSIC', app, widgets: [] };
    expect((await platform.call('POST', `${path}/publish`, { config })).status).toBe(200);
  });
});

describe('python-run', () => {
  test('checks input and access before it rejects the run', async () => {
    const { body } = await publish({ html });
    const [snapshot] = body.reportSnapshots;
    const run = (input: object, publicId = body.publicId) =>
      platform.call('POST', `/api/v1/embed/dashboard/${publicId}/python-run`, input);
    const input = { reportId: snapshot.reportId, reportVersionId: snapshot.id, sqlQuery: 'SELECT 1' };
    expect((await run({ ...input, sqlQuery: 1 })).status).toBe(400);
    expect((await run(input, 'Missing00000')).status).toBe(404);
    for (const other of [{ reportId: snapshot.reportId + 1 }, { reportVersionId: snapshot.id + 1 }]) {
      const { status, body: refusal } = await run({ ...input, ...other });
      expect([status, refusal.message]).toEqual([403, expect.stringContaining('not the published version')]);
    }
    const { status, body: refusal } = await run(input);
    expect([status, refusal.message]).toEqual([403, 'This platform does not run Python.']);
  });
});

describe('the frame of apps', () => {
  const options = { publicUrl: new URL('https://platform.example/path'), allowOrigins: ['https://host.example'] };

  test('has an opaque origin, and permits neither network access nor other frames', async () => {
    const response = await appFrame(options).request(appFramePath);
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        'sandbox allow-scripts',
        "default-src 'none'",
        "script-src 'unsafe-inline' blob:",
        "frame-src 'none'",
        "form-action 'none'",
        'frame-ancestors https://platform.example https://host.example',
      ]),
    );
    // A nonce, a hash or an origin would permit requests to URLs that contain data.
    expect(policy.join(' ')).not.toMatch(/nonce-|sha\d|strict-dynamic|unsafe-eval|connect-src|allow-same-origin/);
    expect(await response.text()).toBe(await (await appFrame(options).request(`${appFramePath}/`)).text());
  });
});
