import { asc, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/contract/roles.js';
import type { Principal } from '../../../../src/platform/auth/principal.js';
import { Tier } from '../../../../src/platform/auth/rights.js';
import { contentAccess, reachableOn } from '../../../../src/platform/content/content-access.js';
import { reports } from '../../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
const list = '/api/v1/deployments/1/reports';
const ids = new Map<string, number>();

// Twelve reports, a minute apart. Every third has the same name, every fourth the same time as the previous one.
beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.withConnection(async client => {
    await client.query(`insert into deployments (id, name, creation_step) values (2, 'other', 'ready')`);
    await client.query(`insert into folders (id, deployment_id, parent_id, name, created_by)
      values (1, 1, null, 'Top', 1), (2, 1, 1, 'Inner', 1)`);
    await client.query(
      `insert into workbooks (id, deployment_id, folder_id, name, meta, created_by) values (1, 1, 2, 'Book', '{}', 1)`,
    );
    await client.query(`insert into reports (deployment_id, name, title, created_by, created_at, updated_at)
      select 1, case when n % 3 = 0 then 'same' else 'report ' || n end, 'Title ' || n, 1,
        '2026-01-01T00:00:00Z'::timestamptz + (n - (n % 4 = 0)::int) * interval '1 minute',
        '2026-02-01T00:00:00Z'::timestamptz - (n - (n % 4 = 0)::int) * interval '1 minute'
      from generate_series(1, 12) n`);
    await client.query(`insert into reports (deployment_id, name, created_by) values (2, 'elsewhere', 1)`);
    await client.query(`update reports set folder_id = 2 where title in ('Title 2', 'Title 3')`);
    await client.query(`update reports set workbook_id = 1 where title = 'Title 5'`);
  });
  for (const { id, title } of (await get()).items) ids.set(title, id);
});
afterAll(() => platform.stop());

const get = (query = '', key?: string) => platform.ok('GET', `${list}${query}`, undefined, key);
const refused = (query: string) => platform.call('GET', `${list}${query}`);
const titles = (page: { items: { title: string }[] }) => page.items.map(item => Number(item.title.slice(6)));

async function throughAll(query: string): Promise<number[]> {
  const seen: number[] = [];
  let after = '';
  for (;;) {
    const page = await get(`?first=5${query}${after}`);
    seen.push(...titles(page));
    if (!page.pageInfo.hasNextPage) return seen;
    after = `&after=${page.pageInfo.endCursor}`;
  }
}

describe('listing reports (spec 4.5)', () => {
  test('returns all reports of the deployment, last changed first, in both pairs of fields', async () => {
    const page = await get();
    expect(titles(page)).toEqual([1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 12, 11]);
    expect(page).toMatchObject({ count: 12, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
    expect(page).not.toHaveProperty('countIsCapped');
    expect(page.data).toEqual(page.items);
  });

  test.each([
    ['name', 'ASC'],
    ['name', 'DESC'],
    ['createdAt', 'ASC'],
    ['createdAt', 'DESC'],
    ['updatedAt', 'ASC'],
    ['updatedAt', 'DESC'],
  ])('pages by cursor in the order of %s %s without duplicates', async (sortBy, direction) => {
    const order = `&sortBy=${sortBy}&sortDirection=${direction}`;
    const whole = titles(await get(`?first=100${order}`));
    expect(await throughAll(order)).toEqual(whole);
    const other = direction === 'ASC' ? 'DESC' : 'ASC';
    expect(titles(await get(`?sortBy=${sortBy}&sortDirection=${other}`))).toEqual(whole.reverse());
  });

  test('sorts names ascending and times descending by default', async () => {
    expect((await get('?sortBy=name')).items[0].name).toBe('report 1');
    expect(titles(await get('?sortBy=createdAt'))[0]).toBe(12);
  });

  test('pages are stable while others insert (spec 9)', async () => {
    const first = await get('?first=3');
    const { id } = await platform.ok('POST', list, { name: 'newest', title: 'Title 99' });
    try {
      const second = await get(`?first=3&after=${first.pageInfo.endCursor}`);
      expect([...titles(first), ...titles(second)]).toEqual([1, 2, 4, 3, 5, 6]);
      expect(second).toMatchObject({ count: 13, pageInfo: { hasPreviousPage: true, hasNextPage: true } });
    } finally {
      await platform.call('DELETE', `${list}/${id}`);
    }
  });

  test('a cursor is valid only for its own list and order', async () => {
    const { pageInfo } = await get('?first=3&sortBy=name');
    for (const query of [
      `?after=${pageInfo.endCursor}`,
      `?after=${pageInfo.endCursor}&sortBy=name&sortDirection=DESC`,
      '?after=x',
    ]) {
      expect(await refused(query)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('query.after') },
      });
    }
  });

  test('pages by page and limit too', async () => {
    const page = await get('?page=2&limit=5');
    expect(titles(page)).toEqual([6, 8, 7, 9, 10]);
    expect(page).toMatchObject({ count: 12, pageInfo: { hasNextPage: true, hasPreviousPage: true } });
    expect(titles(await get('?limit=2'))).toEqual([1, 2]);
    expect(titles(await get('?page=9&limit=5'))).toEqual([]);
  });

  test.each([
    ['?sortBy=lastViewedAt&first=5', 'query.first'],
    ['?sortBy=lastViewedAt&after=x', 'query.after'],
    ['?page=1&first=5', 'query.first'],
    ['?limit=1&after=x', 'query.after'],
    ['?page=0', 'query.page'],
    ['?limit=-1', 'query.limit'],
    ['?first=0', 'query.first'],
    ['?sortBy=title', 'query.sortBy'],
    ['?sortDirection=up', 'query.sortDirection'],
    ['?folderId=root', 'query.folderId'],
    ['?nope=1', 'nope'],
    [`?search=${'x'.repeat(256)}`, 'query.search'],
    ['?search=%00', 'query.search'],
    ['?externalWorkbookId=a%00', 'query.externalWorkbookId'],
  ])('returns 400 that names the field for %s (spec 8)', async (query, field) => {
    expect(await refused(query)).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });

  test('returns 404 for an unknown deployment', async () => {
    expect(await platform.call('GET', '/api/v1/deployments/9/reports')).toMatchObject({ status: 404 });
  });
});

describe('filters of the list (spec 4.5)', () => {
  test('by folder (not its subfolders) and by workbook', async () => {
    expect(titles(await get('?folderId=2')).sort()).toEqual([2, 3]);
    expect(titles(await get('?folderId=1'))).toEqual([]);
    expect(titles(await get('?workbookId=1'))).toEqual([5]);
    expect(await get('?folderId=2&workbookId=1')).toMatchObject({ items: [], count: 0 });
  });

  test('by a substring of name or title, case-insensitively', async () => {
    expect(titles(await get('?search=TITLE%201')).sort((a, b) => a - b)).toEqual([1, 10, 11, 12]);
    expect(titles(await get('?search=Same')).sort((a, b) => a - b)).toEqual([3, 6, 9, 12]);
    expect(titles(await get('?search='))).toHaveLength(12);
  });

  test.each(['%', '_', '\\', 'o%t', "'; drop table reports; --"])('by %s as literal text', async text => {
    expect(titles(await get(`?search=${encodeURIComponent(text)}`))).toEqual([]);
  });

  test('by the spreadsheet of its placements or of the deprecated fields', async () => {
    const place = { externalWorkbookId: 'sheet-1', resultLocation: 'S!A1' };
    await platform.ok('PUT', `${list}/${ids.get('Title 7')}/connect-workbook`, place);
    await platform.ok('PUT', `${list}/${ids.get('Title 7')}/connect-workbook`, {
      ...place,
      externalWorkbookId: 'sheet-2',
    });
    await platform.withConnection(client =>
      client.query(`update reports set external_workbook_id = 'sheet-1' where title = 'Title 8'`),
    );
    expect(titles(await get('?externalWorkbookId=sheet-1')).sort()).toEqual([7, 8]);
    expect(titles(await get('?externalWorkbookId=sheet-2'))).toEqual([7]);
    expect(titles(await get('?externalWorkbookId=sheet-3'))).toEqual([]);
  });
});

test('sortBy=lastViewedAt uses the last view of the caller (spec 8)', async () => {
  await platform.addUserKey('another-admin', 'Admin');
  const look = (title: string, key?: string) => platform.ok('GET', `${list}/${ids.get(title)}`, undefined, key);
  await look('Title 9');
  await look('Title 4');
  await look('Title 6', 'another-admin');
  const newest = await get('?sortBy=lastViewedAt&page=1&limit=3');
  expect(titles(newest).slice(0, 2)).toEqual([4, 9]);
  expect(newest).toMatchObject({ count: 12, pageInfo: { hasNextPage: true } });
  expect(titles(await get('?sortBy=lastViewedAt', 'another-admin'))[0]).toBe(6);
  expect(titles(await get('?sortBy=lastViewedAt&sortDirection=ASC')).slice(-2)).toEqual([9, 4]);
  expect(titles(await get('?sortBy=lastViewedAt')).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, n) => n + 1),
  );
});

test('records a view at most once per minute', async () => {
  const id = ids.get('Title 10');
  const seen = () =>
    platform.withConnection(async client => {
      const { rows } = await client.query('select viewed_at from report_views where report_id = $1', [id]);
      return rows.map(row => row.viewed_at.toISOString());
    });
  await platform.ok('GET', `${list}/${id}`);
  const first = await seen();
  await platform.ok('GET', `${list}/${id}`);
  expect(await seen()).toEqual(first);
  await platform.withConnection(client =>
    client.query(`update report_views set viewed_at = now() - interval '2 minutes' where report_id = $1`, [id]),
  );
  await platform.ok('GET', `${list}/${id}`);
  expect((await seen())[0] >= (first[0] ?? '')).toBe(true);
});

test('list items equal single reads, without result checksums', async () => {
  const id = ids.get('Title 3');
  const resultChecksum = { v: 1, chunks: [{ from: 0, hash: 'abc' }] };
  await platform.ok('PUT', `${list}/${id}/connect-workbook`, {
    externalWorkbookId: 'sheet-9',
    resultLocation: 'S!A1',
    resultChecksum,
  });
  const one = await platform.ok('GET', `${list}/${id}`);
  const listed = (await get('?folderId=2')).items.find((item: { id: number }) => item.id === id);
  expect(one.externalWorkbookPlacements).toMatchObject([{ workbookId: 'sheet-9', resultChecksum }]);
  expect(listed).toEqual({
    ...one,
    externalWorkbookPlacements: [{ ...one.externalWorkbookPlacements[0], resultChecksum: null }],
  });
  expect(one.folderPath).toEqual([
    { id: 1, name: 'Top' },
    { id: 2, name: 'Inner' },
  ]);
});

test('the deprecated count is capped at 10,000, pages are not', async () => {
  await platform.withConnection(client =>
    client.query(
      `insert into reports (deployment_id, name, created_by) select 2, 'many ' || n, 1 from generate_series(1, 10050) n`,
    ),
  );
  const page = await platform.ok('GET', '/api/v1/deployments/2/reports?page=101&limit=100');
  expect(page).toMatchObject({ count: 10_000, countIsCapped: true, pageInfo: { hasNextPage: false } });
  expect(page.items).toHaveLength(51);
  for (const query of ['', '?sortBy=lastViewedAt']) {
    const whole = await platform.ok('GET', `/api/v1/deployments/2/reports${query}`);
    expect(whole).toMatchObject({ count: 10_000, countIsCapped: true, pageInfo: { hasNextPage: true } });
    expect(whole.data).toHaveLength(1_000);
  }
});

test('deep pages use an index without a sort', async () => {
  await platform.withConnection(async client => {
    await client.query('analyze reports');
    for (const [column, type] of Object.entries({
      name: 'text',
      updated_at: 'timestamptz(3)',
      created_at: 'timestamptz(3)',
    })) {
      const { rows } = await client.query(
        `explain (format json) select * from reports where deployment_id = 2
          and (${column}, id) < ((select ${column} from reports where deployment_id = 2 limit 1)::${type}, 5000)
          order by ${column} desc, id desc limit 101`,
      );
      const plan = JSON.stringify(rows[0]['QUERY PLAN']);
      expect(plan).not.toContain('"Sort"');
      expect(plan).toMatch(/Index Cond.*ROW/);
    }
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the number of report rows that a plan has read. */
function reportsRead(node: PlanNode): number {
  const { 'Actual Rows': kept, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops } = node;
  const own = node['Relation Name'] === 'reports' ? (kept + removed) * loops : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + reportsRead(child), own);
}

describe('a page of a non-admin reads only rows that the caller can access (spec 9)', () => {
  const others = 20_000;
  let few: number;
  let many: number;

  // Enough rows that a full scan is never cheaper. The 20,000 reports of one user are older than the admin’s 10,050 and
  // more, and the 50 of another user are older still.
  beforeAll(async () => {
    few = await platform.addUserKey('has-few', 'AIBIUser');
    many = await platform.addUserKey('has-many', 'AIBIUser');
    await platform.withConnection(async client => {
      await client.query(
        `insert into folders (id, deployment_id, name, created_by, created_at) values (3, 2, 'Shared', 1, now())`,
      );
      for (const [owner, count, folder] of [
        [many, others, null],
        [few, 50, 3],
      ])
        await client.query(
          `insert into reports (deployment_id, name, description, created_by, folder_id, created_at, updated_at)
            select 2, 'of ' || $1::bigint || ' ' || n, repeat('x', 600), $1, $3::bigint, moment, moment
            from generate_series(1, $2::int) n, lateral (select now() - ($1 * 100000 + n) * interval '1 second' as moment)`,
          [owner, count, folder],
        );
      await client.query('analyze reports');
    });
  });

  async function readBy(userId: number, policies: Policy[], key: keyof typeof orders): Promise<number> {
    const rights = { isAdmin: false, tier: Tier.explore, policies };
    const principal: Principal = { kind: 'api-key', keyId: 1, userId, rights };
    const first = { orderBy: orders[key], limit: 101 };
    const { readPaths } = contentAccess(principal);
    const { rows } = await platform.db.execute<{
      'QUERY PLAN': [{ Plan: PlanNode }];
    }>(sql`explain (analyze, format json)
      select id from reports where ${reachableOn(reports, readPaths.reports, eq(reports.deploymentId, 2), first)}
      order by ${sql.join(first.orderBy, sql`, `)} limit ${first.limit}`);
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    if (!plan) throw new Error('There is no plan.');
    return reportsRead(plan.Plan);
  }

  const orders = {
    name: [asc(reports.name), asc(reports.id)],
    createdAt: [desc(reports.createdAt), desc(reports.id)],
    updatedAt: [desc(reports.updatedAt), desc(reports.id)],
  };

  test.each(['name', 'createdAt', 'updatedAt'] as const)('in the order of %s', async key => {
    const onFolder = { resourceType: 'Folder', actions: ['FolderRead'], resources: ['3'] };
    expect(await readBy(few, [], key), 'few of its own').toBeLessThan(500);
    expect(await readBy(many, [], key), 'many of its own').toBeLessThan(500);
    expect(await readBy(many, [onFolder], key), 'many, and some by a folder').toBeLessThan(500);
    expect(await readBy(9999, [onFolder], key), 'by a folder alone').toBeLessThan(500);
    expect(await readBy(9999, [], key), 'none').toBeLessThan(10);
  });

  test('the pages together contain exactly what the caller can read', async () => {
    const path = '/api/v1/deployments/2/reports';
    const page = await platform.ok('GET', `${path}?first=40`, undefined, 'has-few');
    expect(page).toMatchObject({ count: 50, pageInfo: { hasNextPage: true } });
    const next = await platform.ok('GET', `${path}?first=40&after=${page.pageInfo.endCursor}`, undefined, 'has-few');
    expect(next.items).toHaveLength(10);
    const numbers = [...page.items, ...next.items].map((item: { name: string }) => Number(item.name.split(' ')[2]));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    const second = await platform.ok('GET', `${path}?page=2&limit=40`, undefined, 'has-few');
    expect(second).toMatchObject({ count: 50, items: next.items, pageInfo: { hasNextPage: false } });
  });
});
