import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';
import { type StoredResult, storeThread } from './stored-thread.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const position = { x: 0, y: 0, w: 2, h: 2 };
const ai = (prompt: string, pins: object = {}) => ({ id: 'ai', type: 'AI', position, config: { prompt, ...pins } });
const note = { id: 'note', type: 'TEXT', position, config: { markdown: 'hi' } };
const config = { widgets: [note, ai('Why?')] };
const resultOf = (measure: string): StoredResult => ({
  query: { measures: [measure] },
  queryTitle: 'Private',
  data: [],
});
const unknownThread = '00000000-0000-4000-8000-000000000000';

let path: string;
beforeEach(async () => {
  const { id } = await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'Board' });
  path = `/api/v1/deployments/1/workbooks/${id}`;
});

const attach = (body: object, credential?: string) =>
  platform.call('POST', `${path}/dashboard/ai-widget-thread`, { widgetId: 'ai', ...body }, credential);
const publish = (body: object) => platform.ok('POST', `${path}/publish`, body);
const pinsOf = ({
  body,
}: {
  readonly body: { readonly config: { readonly widgets: { readonly config: object }[] } };
}) => {
  const { prompt: _, ...pins }: Record<string, unknown> = { ...body.config.widgets.at(-1)?.config };
  return pins;
};

/** Stores a thread with two answers. */
const storeAnswers = async () => {
  const { threadId, checksums } = await storeThread(platform.db, [
    resultOf('flights.count'),
    resultOf('flights.delay'),
  ]);
  const [first = '', second = ''] = checksums;
  return { threadId, first, second };
};

describe('pinning an answer to an AI widget (spec 2.8, 4.5)', () => {
  test('stores only thread and checksum, visible to readers of the published version', async () => {
    const before = await publish({ config, allowEmbed: true });
    const { threadId, first, second } = await storeAnswers();
    const { body } = await attach({ threadId, checksum: first });
    expect(body).toEqual({ ...before, config: { widgets: [note, ai('Why?', { threadId, checksum: first })] } });
    expect(await platform.ok('GET', `/api/v1/embed/dashboard/${before.publicId}`)).toEqual(body);
    expect(JSON.stringify(body)).not.toContain('Private');
    // Without a checksum, the last answer of the thread is pinned.
    expect(pinsOf(await attach({ threadId }))).toMatchObject({ threadId, checksum: second });
  });

  test('null restores the previous answer once, then none; repeating a request changes nothing', async () => {
    await publish({ config });
    const { threadId, first, second } = await storeAnswers();
    const pinned = await attach({ threadId, checksum: first });
    const revision = () =>
      platform.withConnection(async client => {
        const { rows } = await client.query('select revision from dashboards where id = $1', [pinned.body.id]);
        return rows[0].revision;
      });
    const before = await revision();
    expect(await attach({ threadId, checksum: first })).toEqual(pinned);
    expect(await revision()).toBe(before);
    expect(pinsOf(await attach({ threadId, checksum: second }))).toEqual({
      threadId,
      checksum: second,
      previous: { threadId, checksum: first },
    });
    expect(await revision()).toBeGreaterThan(before);
    expect(await attach({ threadId: null, checksum: second })).toEqual(pinned);
    expect(pinsOf(await attach({ threadId: null, checksum: first }))).toEqual({});
    expect(pinsOf(await attach({ threadId: null }))).toEqual({});
  });

  test('a checksum that names no answer, or an answer that is no longer shown, is a conflict', async () => {
    await publish({ config });
    const { threadId, first, second } = await storeAnswers();
    const conflict = { status: 409, body: { code: 'checksum_conflict' } };
    expect(await attach({ threadId, checksum: 'x' })).toMatchObject(conflict);
    const other = await storeAnswers();
    await platform.db.execute(`delete from chat_turns where thread_id = '${other.threadId}'`);
    expect(await attach({ threadId: other.threadId, checksum: first })).toMatchObject(conflict);
    await attach({ threadId, checksum: first });
    expect(await attach({ threadId: null, checksum: second })).toMatchObject(conflict);
  });

  test('accepts only a thread of the caller, and only an answer with a query', async () => {
    await publish({ config });
    const stranger = await platform.addUserKey('stranger', 'AIBIUser');
    const { threadId } = await storeThread(platform.db, [resultOf('flights.count')], { userId: stranger });
    for (const other of [threadId, unknownThread, 'thread']) {
      expect(await attach({ threadId: other })).toMatchObject({ status: 404, body: { message: 'Thread not found' } });
    }
    const mine = await storeThread(platform.db, [resultOf('flights.count'), null]);
    expect(await attach({ threadId: mine.threadId })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('no query') },
    });
    expect(await attach({ threadId: mine.threadId, checksum: mine.checksums[0] })).toMatchObject({ status: 200 });
  });

  test('a session pins only threads of its tenant, and none if AI or AI widgets are off', async () => {
    const creator = { embedTenantName: 'pins', creatorMode: true };
    const token = await platform.tokenOf(creator);
    const { id } = await platform.ok('POST', '/api/v1/deployments/1/workbooks', { name: 'Own' }, token);
    path = `/api/v1/deployments/1/workbooks/${id}`;
    await platform.ok('POST', `${path}/publish`, { config }, token);
    const claims = await platform.tokens.verifyEmbedToken(token);
    if (!claims) throw new Error('The token is invalid.');
    const { userId, embedTenantId } = claims;
    const own = await storeThread(platform.db, [resultOf('flights.count')], { userId, embedTenantId });
    const outside = await storeThread(platform.db, [resultOf('flights.count')], { userId });
    expect(await attach({ threadId: outside.threadId }, token)).toMatchObject({ status: 404 });
    for (const settings of [{ allowAi: false }, { showAiWidgets: false }, { allowChatWorkspaceAuthoring: false }]) {
      const restricted = await platform.tokenOf({ ...creator, settings });
      expect(await attach({ threadId: own.threadId }, restricted)).toMatchObject({ status: 403 });
    }
    expect(await attach({ threadId: own.threadId }, token)).toMatchObject({ status: 200 });
  });

  test('republishing retains answers of unchanged widgets only, and ignores threads in the request', async () => {
    const { threadId, first: checksum } = await storeAnswers();
    const pins = { threadId, checksum };
    const { versionNumber } = await publish({ config: { widgets: [note, ai('Why?', pins)] } });
    const attached = await attach(pins);
    expect(pinsOf(attached)).toEqual(pins);
    expect(await publish({ config })).toEqual(attached.body);
    const moved = { ...ai('Why?', { threadId: unknownThread }), position: { ...position, x: 2 } };
    const second = await publish({ config: { widgets: [moved] } });
    expect(second).toMatchObject({
      versionNumber: versionNumber + 1,
      config: { widgets: [{ config: { prompt: 'Why?', ...pins } }] },
    });
    const third = await publish({ config: { widgets: [ai('How?', pins)] } });
    expect(third.config.widgets[0].config).toEqual({ prompt: 'How?' });
  });

  test('returns 404 before the first publication, 400 for a widget of another type', async () => {
    const { threadId } = await storeAnswers();
    expect(await attach({ threadId })).toMatchObject({ status: 404 });
    await publish({ config });
    for (const widgetId of ['note', 'nobody', '__proto__']) {
      const answer = await attach({ threadId, widgetId });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body.widgetId') } });
    }
    expect(await attach({})).toMatchObject({ status: 400 });
    expect(await attach({ threadId: 't'.repeat(256) })).toMatchObject({ status: 400 });
  });

  test('requires edit access', async () => {
    await publish({ config });
    const { threadId } = await storeAnswers();
    const resources = [path.split('/').at(-1) ?? ''];
    await platform.addUserKey('attach-reads', 'AIBIUser', [
      { resourceType: 'Workbook', actions: ['WorkbookRead'], resources },
    ]);
    await platform.addUserKey('attach-none', 'AIBIUser');
    expect(await attach({ threadId }, 'attach-reads')).toMatchObject({ status: 403 });
    expect(await attach({ threadId }, 'attach-none')).toMatchObject({ status: 404 });
    const creator = await platform.tokenOf({ embedTenantName: 'attach', creatorMode: true });
    expect(await attach({ threadId }, creator)).toMatchObject({ status: 404 });
  });
});
