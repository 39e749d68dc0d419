import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkModel } from '../../../src/platform/data/compile-model.js';
import { CheckedEngine } from '../../../src/platform/data/engines/checked-engine.js';
import type { Engine } from '../../../src/platform/data/engines/engine.js';
import { openEngine } from '../../../src/platform/data/engines/open-engine.js';
import { ModelCaches } from '../../../src/platform/data/model/model-caches.js';
import { ModelError } from '../../../src/platform/data/model/model-error.js';
import fc, { casesAtDepth } from '../../property.js';
import { allRowsPolicy } from './model/model-yaml.js';

const cube = (name: string, body: string, policy = allRowsPolicy) =>
  `cubes:\n  - name: ${name}\n${body}\n    ${policy}\n`;

const customers = (dimensions: string, table = 'customers') =>
  cube(
    'customers',
    `    sql_table: ${table}
    measures: [{ name: count, type: count }]
    dimensions:
      - { name: id, sql: "{CUBE}.id", type: number, primary_key: true }
${dimensions}`,
  );
const country = '      - { name: country, sql: "{CUBE}.country", type: string }';

const orders = ({ region = '{CUBE}.region', key = 'customer_id', extra = '', joins = true, policy = allRowsPolicy }) =>
  cube(
    'orders',
    `    sql_table: orders
    joins: [${joins ? `{ name: customers, relationship: many_to_one, sql: "{CUBE}.${key} = {customers.id}" }` : ''}]
    measures:
      - { name: count, type: count }
      - { name: total, sql: "{CUBE}.amount", type: sum }
      - { name: average, sql: "{total} / nullif({count}, 0)", type: number }
    segments: [{ name: large, sql: "{CUBE}.amount > 10" }]
    hierarchies: [{ name: places, levels: [region, upper_region] }]
    dimensions:
      - { name: id, sql: "{CUBE}.id", type: number, primary_key: true }
      - { name: region, sql: "${region}", type: string }
      - { name: upper_region, sql: "upper({region})", type: string }${extra}`,
    policy,
  );
const extra = (sql: string, more = '') => `\n      - { name: extra, sql: "${sql}", type: string${more} }`;

const items = (dimension: string, joined = 'orders') =>
  cube(
    'items',
    `    sql: SELECT 1 AS order_id, 2 AS quantity
    joins: [{ name: ${joined}, relationship: many_to_one, sql: "{CUBE}.order_id = {${joined}.id}" }]
    measures: [{ name: quantity, sql: quantity, type: sum }]
    dimensions: [{ name: order_id, sql: order_id, type: number, primary_key: true }, ${dimension}]`,
  );

const view = (includes: string) => `views:
  - name: sales
    cubes:
      - { join_path: orders, includes: ${includes} }
      - { join_path: orders.customers, includes: "*", prefix: true }
    ${allRowsPolicy}
`;

/** Contents of each file, valid and invalid. Whether a file is valid can depend on the other files. */
const contents: Readonly<Record<string, readonly string[]>> = {
  'customers.yml': [
    customers(country),
    customers('      - { name: country, sql: "length({CUBE}.country)", type: number }'),
    customers('      - { name: country, sql: "{CUBE}.nation", type: string }'),
    customers('      - { name: nation, sql: "{CUBE}.country", type: string, format: unknown }'),
    customers(`${country}\n      - { name: orders, sql: "{orders.count}", type: number, sub_query: true }`),
    customers(country, 'people'),
    'cubes: []\n',
    'cubes: [\n',
  ],
  'orders.yml': [
    orders({ extra: extra('{customers.country}') }),
    orders({}),
    orders({ extra: extra('{customers.country} * 2') }),
    orders({ region: '{CUBE}.place' }),
    orders({ key: 'buyer' }),
    orders({ joins: false }),
    orders({ joins: false, extra: extra('{customers.country}') }),
    orders({ extra: extra('{customers.count}', ', sub_query: true') }),
    orders({ policy: 'access_policy: [{ group: "*", row_level: { filters: [{ member: extra, operator: set }] } }]' }),
    orders({ policy: '' }),
  ],
  'items.yml': [
    items('{ name: region, sql: "{orders.region}", type: string }'),
    items('{ name: country, sql: "{customers.country}", type: string }'),
    items('{ name: country, sql: "{customers.country}", type: string }', 'customers'),
    items('{ name: quantity, sql: quantity, type: number }'),
  ],
  'more.yml': [
    'cubes: []\n',
    // A cube with the name of a dimension makes references to the dimension ambiguous.
    cube('region', '    sql_table: orders\n    measures: [{ name: count, type: count }]'),
    cube('items', '    sql_table: orders\n    measures: [{ name: count, type: count }]'),
    cube('recent', `    extends: orders\n    measures: [{ name: total, sql: "{CUBE}.id", type: max }]`),
    cube('recent', `    extends: orders\n    sql: SELECT id, region, amount FROM orders`),
    cube('recent', '    extends: recent'),
  ],
  'views.yml': [view('"*"'), view('[region, extra]'), view('[places]'), 'views: []\n'],
  'orders.csv': [
    'id,region,customer_id,amount\n1,north,1,10\n',
    'id,region,buyer,amount\n1,north,1,10\n',
    'id,place,customer_id,amount\n1,north,1,10\n',
  ],
};
const names = Object.keys(contents).filter(name => name.endsWith('.yml'));

let folder: string;
let engine: Engine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-check-model-'));
  await writeFile(join(folder, 'orders.csv'), contents['orders.csv']?.[0] ?? '');
  await writeFile(join(folder, 'customers.csv'), 'id,country\n1,DE\n');
  engine = await openEngine({ kind: 'files', directory: folder }, { onProblem: () => {} });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

/** Checks a model. Returns everything that callers see, and the number of statements that the engine described. */
async function check(files: ReadonlyMap<string, string>, checked: CheckedEngine, caches?: ModelCaches) {
  let statements = 0;
  const directory = names
    .map(name => ({ name, text: files.get(name) ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const result = await checkModel(
    { directory, tables: checked.tables, ...(caches && { caches }) },
    {
      describe: (sql, parameters) => {
        statements += 1;
        return checked.describe(sql, parameters);
      },
      run: (sql, parameters) => checked.runOwn(sql, parameters),
      ...(caches && { accepted: checked.accepted }),
    },
  ).catch((error: unknown) => {
    if (error instanceof ModelError) return { problems: error.problems };
    throw error;
  });
  return { result, statements };
}

const first = (name: string) => ({ name, text: contents[name]?.[0] ?? '' });
const at = (name: string, index: number) => ({ name, text: contents[name]?.[index] ?? '' });
const edit = fc.oneof(
  fc.constantFrom(...Object.keys(contents).map(first)),
  fc.constantFrom(...Object.entries(contents).flatMap(([name, texts]) => texts.map(text => ({ name, text })))),
);
/** Edits that make files invalid that have not changed themselves. */
const known = [
  at('customers.yml', 2),
  first('customers.yml'),
  at('orders.csv', 1),
  first('orders.csv'),
  at('customers.yml', 1),
  at('orders.yml', 2),
  first('customers.yml'),
  at('more.yml', 1),
];
let writes = 0;

/** Replaces a table. The engine reads only files that have not been modified for some seconds. */
async function writeTable(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, text);
  writes += 1;
  await utimes(path, writes, writes);
  await engine.refresh?.();
}

it('finds the same problems with the results of earlier checks as without them', { timeout: 300_000 }, async () => {
  const counts = { incremental: 0, complete: 0 };
  const kinds = new Set<boolean>();
  const property = fc.asyncProperty(fc.array(edit, { minLength: 12, maxLength: 12 }), async edits => {
    const [checked, caches] = [new CheckedEngine(engine), new ModelCaches()];
    const files = new Map(Object.keys(contents).map(name => [name, first(name).text]));
    await writeTable('orders.csv', first('orders.csv').text);
    for (const { name, text } of [first('views.yml'), ...edits]) {
      files.set(name, text);
      if (name.endsWith('.csv')) await writeTable(name, text);
      const incremental = await check(files, checked, caches);
      const complete = await check(files, new CheckedEngine(engine));
      expect(incremental.result).toEqual(complete.result);
      counts.incremental += incremental.statements;
      counts.complete += complete.statements;
      kinds.add('problems' in complete.result);
    }
  });
  await fc.assert(property, { numRuns: casesAtDepth(100, 2), examples: [[known]], endOnFailure: true });
  expect(kinds.size).toBe(2);
  expect(counts.incremental).toBeLessThan(counts.complete);
});
