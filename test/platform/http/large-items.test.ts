import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workbooks } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;

// Five items of each kind, each with 3 MB of listed data. Workbooks also have a draft, which lists omit.
beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.ok('POST', '/api/v1/embed-tenants/acme/user', { externalId: 'ann' });
  await platform.withConnection(async client => {
    await client.query(`insert into reports (deployment_id, name, created_by, meta)
      select 1, 'Report ' || n, 1, json_build_object('note', repeat('x', 3000000)) from generate_series(1, 5) n`);
    await client.query(`insert into workbooks (deployment_id, name, created_by, meta)
      select 1, 'Book ' || n, 1,
        json_build_object('note', repeat('x', 3000000), 'dashboardDraft', json_build_object('title', repeat('x', 4000000)))
      from generate_series(1, 5) n`);
  });
});
afterAll(() => platform.stop());

/** Returns the names on each page and the page information. */
async function pagesOf(path: string) {
  const pages: string[][] = [];
  const counts = new Set<number | undefined>();
  for (let after = ''; pages.length < 10; ) {
    const { items, pageInfo, count } = await platform.ok('GET', `${path}?first=1000${after}`);
    pages.push(items.map((item: { name: string }) => item.name.split(' ')[1]));
    counts.add(count);
    for (const { meta } of items) expect(Object.keys(meta)).toEqual(['note']);
    if (!pageInfo.hasNextPage) break;
    after = `&after=${pageInfo.endCursor}`;
  }
  return { pages, counts: [...counts] };
}

describe('a list of large items', () => {
  const inParts = { pages: [['5', '4'], ['3', '2'], ['1']], counts: [5] };

  test.each(['workbooks', 'reports'])('has pages of limited size that contain every item once: %s', async what => {
    expect(await pagesOf(`/api/v1/deployments/1/${what}`)).toEqual(inParts);
  });

  test('has pages of limited size for workbooks of an embed tenant', async () => {
    const share = { embedTenantName: 'acme', action: 'read' };
    for (const { id } of await platform.db.select({ id: workbooks.id }).from(workbooks)) {
      await platform.ok('PUT', `/api/v1/deployments/1/workbooks/${id}/embed-access`, share);
    }
    expect((await pagesOf('/api/v1/deployments/1/embed-tenants/acme/workbooks')).pages).toEqual(inParts.pages);
  });
});
