import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { check, readCheckOptions } from '../../src/cli/check.js';
import { init } from '../../src/cli/init.js';
import { type InitOptions, initHelp, readInitOptions } from '../../src/cli/init-options.js';
import { readContent } from '../../src/content/read-content.js';
import { Query } from '../../src/contract/query.js';
import { compileModel } from '../../src/platform/data/compile-model.js';
import { openEngine } from '../../src/platform/data/engines/open-engine.js';
import { testDepth } from '../property.js';
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
const run = (options: Partial<InitOptions> = {}) =>
  init(
    {
      sourcesDirectory: join(folder, 'sources'),
      outputDirectory: folder,
      tenantColumn: null,
      allowAll: false,
      ...options,
    },
    { print, note },
  );
const warnings = () => note.mock.calls.map(([line]) => line).filter(line => line.startsWith('warning'));

async function checkModel(): Promise<number> {
  const args = ['--model', join(folder, 'model'), '--sources', join(folder, 'sources')];
  const options = readCheckOptions(args, {});
  if (options === null) throw new Error('expected options');
  return check(options, { print, note });
}

/** Returns the number of rows of each report, by public id. */
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
    expect(await run({ allowAll: true })).toBe(0);
    expect(print).toHaveBeenLastCalledWith('ok: 9 files');
    expect(warnings()).toEqual([
      'warning: all users see all rows of airports: review access_policy in model/airports.yml',
      'warning: all users see all rows of flights: review access_policy in model/flights.yml',
    ]);
    const flights = await readFile(join(folder, 'model/flights.yml'), 'utf8');
    expect(flights).toContain('{ name: airports, relationship: many_to_one, sql: "{CUBE}.origin = {airports.iata}" }');
    note.mockClear();
    expect(await checkModel()).toBe(0);
    expect(note).not.toHaveBeenCalled();
    const rows = await rowsOfReports();
    expect(rows).toEqual({
      FlighAverage: 1,
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
        ...Array.from({ length: 6 }, () => 'CHART'),
      ]);
    } finally {
      await platform.stop();
    }
  }, 60_000);

  it('describes columns, keys, joins by name and the column of a tenant', async () => {
    await write(
      'orders.csv',
      'id,tenant,customer_id,Gross Amount,First response (min),Year built,null,created_at\n1,a,7,2.5,4,1999,x,2026-01-01\n2,b,7,3.5,5,2004,y,2026-01-02\n',
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
      - { name: first_response_min, sql: "{CUBE}.\\"First response (min)\\"", type: number, title: "First response (min)" }
      - { name: year_built, sql: "{CUBE}.\\"Year built\\"", type: number, title: "Year built" }
      - { name: "null", sql: "{CUBE}.null", type: string }
      - { name: created_at, sql: "{CUBE}.created_at", type: time }
    measures:
      - { name: count, type: count }
      - { name: total_gross_amount, sql: "{CUBE}.\\"Gross Amount\\"", type: sum, title: "Total Gross Amount" }
      - { name: average_gross_amount, sql: "{CUBE}.\\"Gross Amount\\"", type: avg, title: "Average Gross Amount" }
      - { name: average_first_response_min, sql: "{CUBE}.\\"First response (min)\\"", type: avg, title: "Average first response (min)" }
    # Review: users see the rows of the tenant in the security context of their embed session.
    access_policy:
      - group: "*"
        row_level:
          filters:
            - { member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }
`);
    expect(await readFile(join(folder, 'model/customers.yml'), 'utf8')).toContain(`
      - group: replace_with_a_group
        row_level: { allow_all: true }
`);
    expect(warnings()).toEqual([
      'warning: no user sees customers, because no column names the tenant: set access_policy in model/customers.yml',
    ]);
    expect(note).toHaveBeenCalledWith(`  npx pa-platform apply ${join(folder, 'content')} --data data`);
    expect(await checkModel()).toBe(0);
  });

  it('converts text columns of dates and numbers, and keeps codes and ambiguous dates as text', async () => {
    const rows = [
      ['31.12.2025', '12/31/2025 08:30', '01/02/2025', '1.234,50', '1,234.50', 'n/a', '00123', 'Köln'],
      ['01.02.2025', '2/1/2025 17:05', '03/04/2025', '-7,25', '-7.25', '12', '45678', ''],
      ['', '', '', '', '', '-3.5', '', 'Zürich'],
    ];
    const header = ['Datum', 'Time (US)', 'Ambiguous', 'Größe', 'Net Amount', 'Score', 'Zip', 'Straße'];
    await write('mixed.csv', [header, ...rows].map(row => row.join(';')).join('\n'));
    expect(await run({ allowAll: true })).toBe(0);
    const dimensions = [
      ...(await readFile(join(folder, 'model/mixed.yml'), 'utf8')).matchAll(
        /name: (\w+), sql: ("(?:[^"\\]|\\.)*"), type: (string|number|time)/g,
      ),
    ];
    const column = (name: string) => `{CUBE}."${name}"`;
    expect(dimensions.map(([, name, sql = '', type]) => [name, JSON.parse(sql), type])).toEqual([
      ['datum', `try_strptime(${column('Datum')}, '%d.%m.%Y')`, 'time'],
      ['time_us', `try_strptime(${column('Time (US)')}, '%m/%d/%Y %H:%M')`, 'time'],
      ['ambiguous', column('Ambiguous'), 'string'],
      ['grosse', `TRY_CAST(replace(replace(${column('Größe')}, '.', ''), ',', '.') AS DOUBLE)`, 'number'],
      ['net_amount', `TRY_CAST(replace(${column('Net Amount')}, ',', '') AS DOUBLE)`, 'number'],
      ['score', `TRY_CAST(${column('Score')} AS DOUBLE)`, 'number'],
      ['zip', column('Zip'), 'string'],
      ['strasse', column('Straße'), 'string'],
    ]);
    expect(await checkModel()).toBe(0);
    expect((await rowsOfReports()).MixedTime000).toBeGreaterThan(0);
  });

  it('limits rows by the column that --tenant names, and builds the dashboard on it', async () => {
    await write('visits.csv', 'day,visitors\n2026-01-01,7\n2026-01-02,8\n');
    await write('sales.csv', 'Mandant,amount,SKU,ORDER_REGION,Satisfaction\na,7,X,n,4\nb,8,Y,n,5\na,9,X,s,3\n');
    expect(await run({ tenantColumn: 'mandant' })).toBe(0);
    const sales = await readFile(join(folder, 'model/sales.yml'), 'utf8');
    expect(sales).toContain('- { member: mandant, operator: equals, values: ["{ securityContext.tenant }"] }');
    expect(sales).toContain('{ name: sku, sql: "{CUBE}.\\"SKU\\"", type: string, title: "SKU" }');
    expect(sales).toContain('{ name: order_region, sql: "{CUBE}.\\"ORDER_REGION\\"", type: string }');
    expect(sales).toContain('average_satisfaction');
    expect(sales).not.toContain('total_satisfaction');
    expect(Object.keys(await readFiles(join(folder, 'content/workbooks')))).toEqual(['sales.yml']);
    await rm(join(folder, 'model'), { recursive: true });
    await expect(run({ tenantColumn: 'client' })).rejects.toThrow('No table has a column "client". Set --tenant to');
    await expect(run({ tenantColumn: 'mandnat' })).rejects.toThrow(
      'No table has a column "mandnat". Did you mean "Mandant"?',
    );
    expect(await readdir(folder)).not.toContain('model');
  });

  it('compares tenants and long ids as text, because different values can be equal numbers', async () => {
    const line = (tenant: string, id: string) => JSON.stringify({ tenant_id: tenant, id, x: 1 });
    await write('rows.json', [line('1.1', '9007199254740992'), line('1.10', '9007199254740993')].join('\n'));
    await run();
    const rows = await readFile(join(folder, 'model/rows.yml'), 'utf8');
    expect(rows).toContain('{ name: tenant_id, sql: "{CUBE}.tenant_id", type: string, public: false }');
    expect(rows).toContain('{ name: id, sql: "{CUBE}.id", type: string, primary_key: true }');
  });

  it('writes a model that passes check for columns of any name', async () => {
    const names = ['a b', 'SECURITY_CONTEXT', 'x.unsafeValue()', '{CUBE}', '}}', '{{ x }}', '`', '$1', 'a\\b'];
    names.push(
      `"; DROP TABLE rows; --`,
      `', sql: "1`,
      '- &a *b !c',
      '__proto__',
      'None',
      '\u0085',
      '\u202e',
      'x'.repeat(12_000),
    );
    const quoted = names.map(name => `"${name.replaceAll('"', '""')}"`);
    await write('rows.csv', [quoted, names.map((_, index) => index), names.map(() => 0)].join('\n'));
    await run({ allowAll: true });
    expect(await checkModel()).toBe(0);
    const counts = Object.values(await rowsOfReports());
    expect(counts).toEqual([1, 1, 1, 1]);
  });

  it.runIf(testDepth() === 'deep')(
    'reads a table with 1,000 text columns',
    async () => {
      const names = Array.from({ length: 1000 }, (_, index) => `c${index}`);
      await write('rows.csv', [names, names.map(() => '"1.234,5"'), names.map(() => '"x"')].join('\n'));
      expect(await run()).toBe(0);
    },
    120_000,
  );

  it('writes a model for a table without numbers, times or rows', async () => {
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

  it('rejects a folder without data, or with skipped files only', async () => {
    await expect(run()).rejects.toThrow(/sources has no data\. Add Parquet, CSV or JSON files\.$/);
    await write('My Orders.csv', 'id,amount\n1,2\n');
    await expect(run()).rejects.toThrow(
      /^All data files in the sources folder .* were skipped for the reasons above\.$/,
    );
    expect(note).toHaveBeenCalledExactlyOnceWith(
      'Skipped the source "My Orders.csv": its name is not a valid table name. Rename it to my_orders.csv.',
    );
  });

  it('requires --sources and prints all options with --help', () => {
    expect(() => readInitOptions([])).toThrow('--sources is required. Set it to the folder that contains the data.');
    expect(readInitOptions(['--sources', 'a'])).toEqual({
      sourcesDirectory: 'a',
      outputDirectory: '.',
      tenantColumn: null,
      allowAll: false,
    });
    expect(readInitOptions(['--sources', 'a', '--tenant', 'b', '--allow-all'])).toMatchObject({
      tenantColumn: 'b',
      allowAll: true,
    });
    expect(readInitOptions(['--help'])).toBeNull();
    expect([...initHelp.matchAll(/^ {2}--([a-z-]+)/gm)].map(match => match[1])).toEqual([
      'sources',
      'output',
      'tenant',
      'allow-all',
      'help',
    ]);
  });
});
