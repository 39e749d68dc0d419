import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const deployment = '/api/v1/deployments/1';
const text = (content: string) => ({
  id: 'text',
  type: 'TEXT',
  position: { x: 0, y: 0, w: 12, h: 2 },
  config: { markdown: content },
});

/** Creates a workbook. Returns its path. */
async function create(): Promise<string> {
  const { id } = await platform.ok('POST', `${deployment}/workbooks`, { name: 'Versions' });
  return `${deployment}/workbooks/${id}`;
}

const publish = (path: string, content: string) =>
  platform.ok('POST', `${path}/publish`, { config: { widgets: [text(content)] } });

describe('versions of a dashboard', () => {
  test('are listed newest first, and returned as they were published', async () => {
    const path = await create();
    expect((await platform.ok('GET', `${path}/dashboard/versions`)).items).toEqual([]);
    await publish(path, 'first');
    await publish(path, 'second');
    await publish(path, 'second');
    const { items } = await platform.ok('GET', `${path}/dashboard/versions`);
    expect(items).toMatchObject([
      { versionNumber: 2, isCurrent: true, widgetCount: 1, publishedBy: { id: 1 } },
      { versionNumber: 1, isCurrent: false, widgetCount: 1, publishedBy: { id: 1 } },
    ]);
    const first = await platform.ok('GET', `${path}/dashboard/versions/1`);
    expect(first).toMatchObject({ versionNumber: 1, isCurrent: false, reportSnapshots: [] });
    expect(first.config.widgets).toEqual([text('first')]);
    expect(await platform.call('GET', `${path}/dashboard/versions/3`)).toMatchObject({ status: 404 });
  });

  test('are limited to the last 50', async () => {
    const path = await create();
    for (let version = 1; version <= 52; version++) await publish(path, String(version));
    const { items } = await platform.ok('GET', `${path}/dashboard/versions`);
    expect(items).toHaveLength(50);
    expect(items.at(-1)).toMatchObject({ versionNumber: 3 });
    expect(await platform.call('GET', `${path}/dashboard/versions/2`)).toMatchObject({ status: 404 });
  });
});
