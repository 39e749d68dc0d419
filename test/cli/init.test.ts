import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { check, readCheckOptions } from '../../src/cli/check.js';
import { init } from '../../src/cli/init.js';
import { initHelp, readInitOptions } from '../../src/cli/init-options.js';
import { readContent } from '../../src/content/read-content.js';
import { Query } from '../../src/contract/query.js';
import { compileModel } from '../../src/platform/data/compile-model.js';
import { openEngine } from '../../src/platform/data/engines/open-engine.js';
import { readFiles, startContentPlatform } from './content-platform.js';

const samples = join(dirname(fileURLToPath(import.meta.resolve('vega-datasets'))), '../data');
const print = vi.fn<(line: string) => void>();
const note = vi.fn<(text: string) => void>();
let folder: string;

beforeEach(async () => {
  vi.clearAllMocks();
  folder = await mkdtemp(join(tmpdir(), 'pa-init-'));
  await mkdir(join(folder, 'sources'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (table: string, text: string) => writeFile(join(folder, 'sources', table), text);
const run = () => init({ sourcesDirectory: join(folder, 'sources'), outputDirectory: folder }, { print, note });

async function checkModel(): Promise<number> {
  const args = ['--model', join(folder, 'model'), '--sources', join(folder, 'sources')];
  const options = readCheckOptions(args, {});
  if (options === null) throw new Error('expected options');
  return check(options, { print, note });
}

/** Number of rows of each report, by public id. */
async function rowsOfReports(): Promise<Record<string, number>> {
  const place = { kind: 'files', directory: join(folder, 'sources') } as const;
  const engine = await openEngine(place, { onProblem: note });
  try {
    const model = await compileModel({ directory: join(folder, 'model'), tables: engine.tables });
    const counts: Record<string, number> = {};
    const { reports } = await readContent(join(folder, 'content'));
    for (const [publicId, { content }] of reports) {
      const { sql, parameters } = model
        .plan(Query.parse(content.query), { platform: { groups: [], userAttributes: {} } })
        .statement();
      counts[publicId] = (await engine.run(sql, parameters)).columns[0]?.length ?? 0;
    }
    return counts;
  } finally {
    await engine.close();
  }
}

describe('pa-platform init', () => {
  it('writes a model that passes check, and a dashboard that a platform serves', async () => {
    await copyFile(join(samples, 'airports.csv'), join(folder, 'sources/airports.csv'));
    const flightRows: { date: string; delay: number; origin: string; destination: string }[] = JSON.parse(
      await readFile(join(samples, 'flights-2k.json'), 'utf8'),
    );
    const lines = flightRows.map(({ date, ...row }) =>
      [`${date.replaceAll('/', '-')}:00`, ...Object.values(row)].join(),
    );
    await write('flights.csv', `date,delay,distance,origin,destination\n${lines.join('\n')}\n`);
    expect(await run()).toBe(0);
    expect(print).toHaveBeenLastCalledWith('ok: 8 file(s)');
    const flights = await readFile(join(folder, 'model/flights.yml'), 'utf8');
    expect(flights).toContain('{ name: airports, relationship: many_to_one, sql: "{CUBE}.origin = {airports.iata}" }');
    note.mockClear();
    expect(await checkModel()).toBe(0);
    expect(note).not.toHaveBeenCalled();
    const rows = await rowsOfReports();
    expect(rows).toEqual({
      FlightsBars0: 10,
      FlightsCount: 1,
      FlightsTable: 100,
      FlightsTime0: expect.any(Number),
      FlightsTotal: 1,
    });
    expect(rows.FlightsTime0).toBeGreaterThan(5);
    const platform = await startContentPlatform({
      modelDirectory: join(folder, 'model'),
      sourcesDirectory: join(folder, 'sources'),
    });
    try {
      expect(await platform.apply(join(folder, 'content'))).toMatchObject({ code: 0 });
      const { items } = await platform.call('GET', '/deployments/1/workbooks?first=10');
      const { publishedDashboard } = await platform.call('GET', `/deployments/1/workbooks/${items[0].id}`);
      expect(publishedDashboard.config.widgets.map(({ type }: { type: string }) => type)).toEqual([
        'FILTER',
        ...Array.from({ length: 5 }, () => 'CHART'),
      ]);
    } finally {
      await platform.stop();
    }
  }, 60_000);

  it('describes columns, keys, joins by name and the column of a tenant', async () => {
    await write(
      'orders.csv',
      'id,tenant,customer_id,Gross Amount,null,created_at\n1,a,7,2.5,x,2026-01-01\n2,b,7,3.5,y,2026-01-02\n',
    );
    await write('customers.csv', 'id,name,paid\n7,Ann,true\n8,Bob,false\n');
    expect(await run()).toBe(0);
    expect(await readFile(join(folder, 'model/orders.yml'), 'utf8')).toBe(`cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}" }
    dimensions:
      - { name: id, sql: "{CUBE}.id", type: number, primary_key: true }
      - { name: tenant, sql: "{CUBE}.tenant", type: string, public: false }
      - { name: customer_id, sql: "{CUBE}.customer_id", type: number }
      - { name: gross_amount, sql: "{CUBE}.\\"Gross Amount\\"", type: number, title: "Gross Amount" }
      - { name: "null", sql: "{CUBE}.null", type: string }
      - { name: created_at, sql: "{CUBE}.created_at", type: time }
    measures:
      - { name: count, type: count }
      - { name: total_gross_amount, sql: "{CUBE}.\\"Gross Amount\\"", type: sum }
      - { name: average_gross_amount, sql: "{CUBE}.\\"Gross Amount\\"", type: avg }
    # Review: users see the rows of the tenant in the security context of their embed session.
    access_policy:
      - group: "*"
        row_level:
          filters:
            - { member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }
`);
    expect(await readFile(join(folder, 'model/customers.yml'), 'utf8')).toContain('row_level: { allow_all: true }');
    expect(note.mock.calls.map(([line]) => line).filter(line => line.startsWith('warning'))).toEqual([
      'warning: all users see all rows of customers: review access_policy in model/customers.yml',
    ]);
    expect(await checkModel()).toBe(0);
  });

  it('writes a model for a table without numbers, times and rows', async () => {
    await write('class.csv', 'name,tags\n');
    expect(await run()).toBe(0);
    expect(await readFile(join(folder, 'model/class.yml'), 'utf8')).toContain(
      'name: class_rows\n    sql_table: class\n',
    );
    expect(await checkModel()).toBe(0);
  });

  it('never overwrites a file', async () => {
    await write('orders.csv', 'id,amount\n1,2\n');
    await mkdir(join(folder, 'model'));
    await writeFile(join(folder, 'model/orders.yml'), 'own');
    await expect(run()).rejects.toThrow('model/orders.yml already exists; nothing was written. Remove it, or set');
    expect(await readFiles(join(folder, 'model'))).toEqual({ 'orders.yml': 'own' });
    expect(await readFiles(folder)).not.toHaveProperty('content/workbooks/orders.yml');
  });

  it('rejects a folder without data', async () => {
    await expect(run()).rejects.toThrow(/sources has no data\. Add Parquet, CSV or JSON files\.$/);
  });

  it('requires --sources and prints all options with --help', () => {
    expect(() => readInitOptions([])).toThrow('--sources is required: the folder of the data.');
    expect(readInitOptions(['--sources', 'a'])).toEqual({ sourcesDirectory: 'a', outputDirectory: '.' });
    expect(readInitOptions(['--help'])).toBeNull();
    expect([...initHelp.matchAll(/^ {2}--([a-z-]+)/gm)].map(match => match[1])).toEqual(['sources', 'output', 'help']);
  });
});
