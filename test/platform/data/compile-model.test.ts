import { describe, expect, it } from 'vitest';
import { compileModel } from '../../../src/platform/data/compile-model.js';
import { SqlType } from '../../../src/platform/data/sql/sql-type.js';
import { caller, tenantCaller } from './callers.js';
import { compile, compileFiles, openDatabase, problemsOf } from './model/fixture.js';
import { allRowsPolicy } from './model/model-yaml.js';
import { shop } from './model/shop.js';

/** Returns a valid model with one additional line, which becomes line 9. */
function orders(extra: { dimension?: string; cube?: string; policy?: string; view?: string }): string {
  return `cubes:
  - name: orders
    sql_table: orders
    measures:
      - { name: count, type: count }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: region, sql: "{CUBE}.region", type: string }
      ${extra.dimension ?? '- { name: day, sql: created, type: time }'}
    ${extra.cube ?? 'joins: []'}
    ${extra.policy ?? allRowsPolicy}
views:
  - name: sales
    ${allRowsPolicy}
    cubes:
      - join_path: orders
        ${extra.view ?? 'includes: "*"'}
`;
}

const filter = (values: string, member = 'region') =>
  `access_policy: [{ group: "*", row_level: { filters: [{ member: ${member}, operator: equals, values: ${values} } ] } } ]`;

describe('a model', () => {
  it('compiles if it is valid', async () => {
    expect(await problemsOf(orders({}))).toEqual([]);
  });

  it('of the demo compiles, and shows nothing without an airport', async () => {
    const model = await compileModel({ directory: 'demo/model', tables: ['flights', 'airports'] });
    expect(model.meta(caller()).cubes).toEqual([]);
    const [view, ...others] = model.meta(caller({ airport: 'SEA' })).cubes;
    expect(view?.name).toBe('departures');
    expect(others).toEqual([]);
  });

  it('plans SQL for a caller, and converts SQL of public members to a load query for publishing', async () => {
    const model = await compile(shop);
    const finance = tenantCaller('a', 'finance');
    const text = 'SELECT region, MEASURE(revenue) AS total FROM orders GROUP BY 1';
    const engine = { dataVersion: 'v1', describe: async () => [SqlType.numeric] };
    const plan = await model.planSql({ text, timezone: 'Europe/Berlin' }, finance, engine);
    expect(plan.columns.map(({ name, type, member }) => [name, type, member])).toEqual([
      ['region', 'text', 'orders.region'],
      ['total', 'numeric', 'orders.revenue'],
    ]);
    expect(plan.statement().parameters).toContain('a');
    const anyone = tenantCaller('a');
    await expect(model.planSql({ text }, anyone, engine)).rejects.toMatchObject({ status: 400 });
    await expect(model.planSql({ text, timezone: 'Mars' }, finance, engine)).rejects.toThrow('timezone must be');
    await expect(model.convertSql(text, anyone, engine)).rejects.toMatchObject({ status: 400 });
    const { query } = await model.convertSql(text, null, engine);
    expect(query).toMatchObject({ measures: ['orders.revenue'], dimensions: ['orders.region'] });
    await expect(model.convertSql('SELECT tenant FROM orders', null, engine)).rejects.toMatchObject({ status: 400 });
  });

  it('finds by SQL the value that a row shows, in any time zone', async () => {
    const hour = '- { name: hour, sql: "extract(hour FROM {day})", type: number }';
    const model = await compile(orders({ dimension: `- { name: day, sql: created, type: time }\n      ${hour}` }));
    const database = await openDatabase();
    const engine = { dataVersion: 'v1', describe: async () => [SqlType.bigint, SqlType.bigint] };
    for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Tokyo']) {
      const rows = async (text: string) => {
        const plan = await model.planSql({ text, timezone }, caller(), engine);
        const { sql, parameters } = plan.statement();
        return (await database.runAndReadAll(sql, [...parameters])).getRowsJson();
      };
      const [first, ...others] = await rows('SELECT DISTINCT hour FROM orders WHERE hour IS NOT NULL ORDER BY 1');
      expect(others.length).toBeGreaterThan(0);
      expect(await rows(`SELECT DISTINCT hour FROM orders WHERE hour = ${first}`)).toEqual([first]);
    }
  });
});

describe('model validation', () => {
  it.each([
    [
      'values: ["{ securityContext.constructor.constructor(\'return process.pid\')() }"]',
      '["{ securityContext.constructor.constructor(\'return process.pid\')() }"]',
    ],
    ['a constructor', '["{ securityContext.constructor.name }"]'],
    ['a prototype', '["{ securityContext.a.prototype }"]'],
    ['__proto__', '["{ securityContext.__proto__.x }"]'],
    ['an index', '["{ securityContext.groups[0] }"]'],
    ['a quoted key', `["{ securityContext['x'] }"]`],
    ['a call', '["{ securityContext.f() }"]'],
    ['an operator', '["{ securityContext.a + 1 }"]'],
    ['text around it', '["x{ securityContext.a }"]'],
    ['two of them', '["{ securityContext.a }{ securityContext.b }"]'],
    ['another root', '["{ process.env }"]'],
    ['the whole context', '["{ securityContext }"]'],
    ['a path below userAttributes', '["{ userAttributes.a.b }"]'],
    ['a new line in it', '["{ securityContext.a\\n}; x {"]'],
    ['an expression outside a list', '"{ securityContext.f() }"'],
  ])('never evaluates %s', async (_, values) => {
    const problems = await problemsOf(orders({ policy: filter(values) }));
    expect(problems).toEqual([expect.stringMatching(/^11: .*must be a plain value, a list/)]);
  });

  it.each([
    ['a call', '{ securityContext.isAdmin() }'],
    ['a comparison', "{ securityContext.role == 'admin' }"],
    ['text', 'true'],
  ])('rejects a condition with %s', async (_, condition) => {
    const policy = `access_policy: [{ group: "*", conditions: [{ if: "${condition}" } ], row_level: { allow_all: true } } ]`;
    expect(await problemsOf(orders({ policy }))).toEqual([expect.stringMatching(/^11: the key if must be/)]);
  });

  it.each([
    ['nothing', 'access_policy: [{ group: "*" } ]', 'requires row_level with filters, or with allow_all: true'],
    ['no filters', 'access_policy: [{ group: "*", row_level: { filters: [] } } ]', 'requires at least one filter'],
    ['allow_all: false', 'access_policy: [{ group: "*", row_level: { allow_all: false } } ]', 'can only be true'],
    [
      'both',
      `access_policy: [{ group: "*", row_level: { allow_all: true, filters: [{ member: id, operator: set } ] } } ]`,
      'requires row_level',
    ],
    ['no group', 'access_policy: [{ row_level: { allow_all: true } } ]', 'requires either group or groups'],
    ['an unknown member', filter('[x]', 'nope'), 'nope is not a member of orders'],
    ['another cube', filter('[x]', 'sales.region'), 'sales.region is not a member of orders'],
    ['a measure', filter('[1]', 'count'), 'count is not a dimension of orders'],
    ['no values', filter('[]'), 'equals requires values'],
    ['null', filter('[null]'), 'must be a plain value'],
    ['the empty text', filter('[""]'), '11: equals requires texts'],
    ['a number for a text', filter('[7]'), '11: equals requires texts'],
    ['an unknown operator', filter('[x]').replace('equals', 'regex'), 'operators: equals'],
    [
      'an operator of another type',
      filter('[x]', 'id').replace('equals', 'contains'),
      'contains cannot be used with a number member',
    ],
    [
      'an unknown hidden member',
      'access_policy: [{ group: "*", member_level: { excludes: [nope] }, row_level: { allow_all: true } } ]',
      'nope is not a member',
    ],
    [
      'an expression for a group',
      'access_policy: [{ group: "{ securityContext.g }", row_level: { allow_all: true } } ]',
      'a group must be a plain name',
    ],
    [
      'a key with another spelling',
      'access_policy: [{ role: "*", row_level: { allow_all: true } } ]',
      'role is not supported: use group',
    ],
  ])('rejects a policy with %s', async (_, policy, message) => {
    const problems = await problemsOf(orders({ policy }));
    expect(problems.join('\n')).toContain(message);
    expect(problems[0]).toMatch(/^11: /);
  });

  it.each([
    [
      'an unknown reference',
      { dimension: '- { name: x, sql: "{NOPE}", type: string }' },
      '9: {NOPE} is not a cube or a member',
    ],
    [
      'an unknown member of a cube',
      { dimension: '- { name: x, sql: "{orders.nope}", type: string }' },
      '9: {orders.nope} is not a cube or a member',
    ],
    [
      'an unknown granularity',
      { dimension: '- { name: x, sql: "{region.month}", type: string }' },
      '9: {region.month} is not a cube or a member',
    ],
    [
      'a call in SQL',
      { dimension: '- { name: x, sql: "{process.exit(1)}", type: string }' },
      '9: braces can only contain',
    ],
    [
      'an unclosed brace',
      { dimension: '- { name: x, sql: "{CUBE.region", type: string }' },
      '9: braces can only contain',
    ],
    ['a cycle', { dimension: '- { name: x, sql: "{x}", type: string }' }, '9: x refers to itself'],
    [
      'a duplicate name',
      { dimension: '- { name: region, sql: x, type: string }' },
      '9: region is already the name of another member of orders',
    ],
    [
      'a property of every object',
      { dimension: '- { name: constructor, sql: x, type: string }' },
      '9: constructor is a reserved name',
    ],
    ['a name with a dot', { dimension: '- { name: a.b, sql: x, type: string }' }, '9: name: must consist of letters'],
    [
      'a granularity with a predefined name',
      { dimension: '- { name: x, sql: x, type: time, granularities: [{ name: month, interval: 1 month } ] }' },
      '9: month is a reserved name',
    ],
    [
      'an interval that is SQL',
      { dimension: `- { name: x, sql: x, type: time, granularities: [{ name: y, interval: "1 month'; DROP" } ] }` },
      '9: interval: must be a duration',
    ],
    [
      'an unknown join',
      { cube: 'joins: [{ name: nope, sql: "{CUBE}.x = 1", relationship: many_to_one } ]' },
      '10: nope is not a cube',
    ],
    ['an unknown key', { cube: 'refresh: 1' }, '10: Unknown key "refresh"'],
    ['an unknown member in a view', { view: 'includes: [nope]' }, '17: nope is not a member of orders'],
    [
      'a duplicate member in a view',
      { view: 'includes: [region, { name: id, alias: region } ]' },
      '16: region is already in the view',
    ],
  ])('rejects %s', async (_, extra, problem) => {
    expect((await problemsOf(orders(extra))).join('\n')).toContain(problem);
  });

  it.each(['multi_stage: true', 'time_shift: []'])('rejects a measure with %s', async key => {
    const cube = `segments: []\n    title: Orders`;
    const text = orders({ cube }).replace('{ name: count, type: count }', `{ name: count, type: count, ${key} }`);
    expect(await problemsOf(text)).toEqual([expect.stringMatching(`^5: ${key.split(':')[0]} is not supported: `)]);
  });

  it.each([["read_csv('/etc/passwd')"], ['"/etc/passwd"'], ['orders; DROP TABLE orders'], ['main.orders'], ['nope']])(
    'reads only the given tables: %s',
    async table => {
      const text = orders({}).replace('sql_table: orders', `sql_table: '${table.replaceAll("'", "''")}'`);
      expect(await problemsOf(text)).toEqual([
        expect.stringMatching(/^3: Unknown table .*\. Tables: customers, orders, items/),
      ]);
    },
  );

  it.each([
    ['SECURITY_CONTEXT', "{CUBE}.x = {SECURITY_CONTEXT.x.filter('x')}"],
    ['COMPILE_CONTEXT', '{COMPILE_CONTEXT.x}'],
    ['unsafeValue', '{x.unsafeValue()}'],
    ['Jinja', '{{ x }}'],
    ['Jinja', '{% if x %}'],
  ])('rejects %s everywhere', async (word, sql) => {
    const problems = await problemsOf(orders({ dimension: `- { name: x, sql: "${sql}", type: string }` }));
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^9: .*${word}.*not allowed`))]);
  });

  it('lists every problem of every file with file and line', async () => {
    const compiled = compileFiles({
      'a.yml': orders({ dimension: '- { name: x, sql: "{A} {B}", type: string }' }),
      'deep/b.yaml': 'views:\n  - name: orders\n    cubes: []\n',
      'c.yml': 'cubes:\n  - name: [\n',
    });
    await expect(compiled).rejects.toThrow(/^The semantic model is invalid:\n/);
    await expect(compiled).rejects.toThrow(/a\.yml:9: \{A\}.*\n.*a\.yml:9: \{B\}/);
    await expect(compiled).rejects.toThrow(
      'deep/b.yaml:2: orders is already the name of another cube or view: see a.yml:2',
    );
    await expect(compiled).rejects.toThrow(/c\.yml:[23]: /);
  });

  it.each(['.inf', '.nan', '1e400'])('rejects the number %s, which JSON cannot hold', async number => {
    const model = `cubes:\n  - name: a\n    sql_table: a\n    meta: { top: ${number} }\n`;
    await expect(compileFiles({ 'a.yml': model })).rejects.toThrow(`a.yml:4: ${number} is not a finite number`);
  });
});

describe('model files', () => {
  it('rejects aliases that expand to too much content', async () => {
    const tenfold = (name: string) => `[${Array(10).fill(`*${name}`).join(', ')}]`;
    const bomb = `a: &a [x]\nb: &b ${tenfold('a')}\nc: &c ${tenfold('b')}\ncubes: ${tenfold('c')}\n`;
    await expect(compileFiles({ 'a.yml': bomb })).rejects.toThrow(
      'a.yml:1: aliases (*name) expand to too much content',
    );
  });

  it('rejects a missing folder', async () => {
    const compiled = compileModel({ directory: 'no/such/folder', tables: [] });
    await expect(compiled).rejects.toThrow('Could not read the model folder no/such/folder. Check that it exists.');
  });

  it('rejects a folder without files, and files that are too large', async () => {
    await expect(compileFiles({ 'readme.md': '' })).rejects.toThrow('.:1: the folder contains no .yml file');
    await expect(compileFiles({ 'a.yml': `# ${'x'.repeat(1_000_000)}` })).rejects.toThrow(
      'a.yml:1: exceeds the limit of 1000000 bytes per file',
    );
  });

  it('changes its version with its files', async () => {
    const [one, same, other] = await Promise.all([
      compile(orders({})),
      compile(orders({})),
      compile(`${orders({})}# more\n`),
    ]);
    expect(one.version).toBe(same.version);
    expect(one.version).not.toBe(other.version);
  });
});
