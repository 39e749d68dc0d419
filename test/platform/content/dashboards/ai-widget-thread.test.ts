import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const position = { x: 0, y: 0, w: 2, h: 2 };
const ai = (prompt: string) => ({ id: 'ai', type: 'AI', position, config: { prompt } });
const note = { id: 'note', type: 'TEXT', position, config: { markdown: 'hi' } };
const config = { widgets: [note, ai('Why?')] };

let path: string;
beforeEach(async () => {
  const { id } = await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'Board' });
  path = `/api/v1/deployments/1/workbooks/${id}`;
});

const attach = (body: object, credential?: string) =>
  platform.call('POST', `${path}/dashboard/ai-widget-thread`, body, credential);
const publish = (body: object) => platform.ok('POST', `${path}/publish`, body);

describe('attaching a thread to an AI widget (spec 2.8, 4.5)', () => {
  test('is visible to readers of the published version', async () => {
    const first = await publish({ config, allowEmbed: true });
    const { body } = await attach({ threadId: 'thread-1', widgetId: 'ai', checksum: 'abc' });
    const shown = { ...ai('Why?'), config: { prompt: 'Why?', threadId: 'thread-1', checksum: 'abc' } };
    expect(body).toEqual({ ...first, config: { widgets: [note, shown] } });
    expect(await platform.ok('GET', `/api/v1/embed/dashboard/${first.publicId}`)).toEqual(body);
  });

  test('another thread replaces it and its checksum; repeating the request changes nothing', async () => {
    await publish({ config });
    await attach({ threadId: 'thread-1', widgetId: 'ai', checksum: 'abc' });
    const second = await attach({ threadId: 'thread-2', widgetId: 'ai' });
    expect(second.body.config.widgets[1].config).toEqual({ prompt: 'Why?', threadId: 'thread-2' });
    const revision = () =>
      platform.withConnection(async client => {
        const { rows } = await client.query('select revision from dashboards where id = $1', [second.body.id]);
        return rows[0].revision;
      });
    const before = await revision();
    expect(await attach({ threadId: 'thread-2', widgetId: 'ai' })).toEqual(second);
    expect(await revision()).toBe(before);
    await attach({ threadId: 'thread-3', widgetId: 'ai' });
    expect(await revision()).toBeGreaterThan(before);
  });

  test('republishing retains threads of unchanged widgets only', async () => {
    const { versionNumber } = await publish({ config });
    const attached = await attach({ threadId: 'thread-1', widgetId: 'ai', checksum: 'abc' });
    expect(await publish({ config })).toEqual(attached.body);
    const moved = { ...ai('Why?'), position: { ...position, x: 2 } };
    const second = await publish({ config: { widgets: [moved] } });
    expect(second).toMatchObject({
      versionNumber: versionNumber + 1,
      config: { widgets: [{ config: { prompt: 'Why?', threadId: 'thread-1', checksum: 'abc' } }] },
    });
    const third = await publish({ config: { widgets: [ai('How?')] } });
    expect(third.config.widgets[0].config).toEqual({ prompt: 'How?' });
  });

  test('returns 404 before the first publication, 400 for a widget of another type', async () => {
    expect(await attach({ threadId: 't', widgetId: 'ai' })).toMatchObject({ status: 404 });
    await publish({ config });
    for (const widgetId of ['note', 'nobody', '__proto__']) {
      const answer = await attach({ threadId: 't', widgetId });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body.widgetId') } });
    }
    expect(await attach({ widgetId: 'ai' })).toMatchObject({ status: 400 });
    expect(await attach({ threadId: 't'.repeat(256), widgetId: 'ai' })).toMatchObject({ status: 400 });
  });

  test('requires edit access', async () => {
    await publish({ config });
    const body = { threadId: 't', widgetId: 'ai' };
    const resources = [path.split('/').at(-1) ?? ''];
    await platform.addUserKey('attach-reads', 'AIBIUser', [
      { resourceType: 'Workbook', actions: ['WorkbookRead'], resources },
    ]);
    await platform.addUserKey('attach-none', 'AIBIUser');
    expect(await attach(body, 'attach-reads')).toMatchObject({ status: 403 });
    expect(await attach(body, 'attach-none')).toMatchObject({ status: 404 });
    const creator = await platform.tokenOf({ embedTenantName: 'attach', creatorMode: true });
    expect(await attach(body, creator)).toMatchObject({ status: 404 });
  });
});
