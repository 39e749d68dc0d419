import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bindUrl, type ModelVariables, VariableTokens } from '../../../src/platform/data/model/variables.js';
import { type DataApi, openDataApi } from '../../../src/platform/data/open-data.js';
import { eventually } from '../../eventually.js';
import { caller } from './callers.js';
import { allRowsPolicy } from './model/model-yaml.js';

const variablesOf = (values: Record<string, string>): ModelVariables =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, revision: JSON.stringify([name, value]) }]));

describe('environment variables in the SQL of a model', () => {
  const tokens = new VariableTokens();
  const use = (name: string) => `{{ env_var('${name}') }}`;
  const bind = (sql: string, value: string) => tokens.bind(sql, variablesOf({ X: value }), new Map());
  const revealed = (sql: string, value: string): string => {
    const bound = bind(sql, value);
    return 'sql' in bound ? tokens.reveal(bound.sql) : bound.problem;
  };

  test('are replaced by tokens that only the engine resolves', () => {
    const used = new Map<string, string>();
    const bound = tokens.bind(`a = ${use('X')} OR b = '${use('Y')}'`, variablesOf({ X: 'x1', Y: "it's" }), used);
    if (!('sql' in bound)) throw new Error(bound.problem);
    expect(bound.sql).toMatch(/^a = pa_env_[0-9a-f]{32} OR b = 'pa_env_[0-9a-f]{32}'$/);
    expect(tokens.reveal(bound.sql)).toBe("a = x1 OR b = 'it''s'");
    expect(tokens.hide(bound.sql)).toBe(`a = ${use('X')} OR b = '${use('Y')}'`);
    expect([...used.keys()]).toEqual(['X', 'Y']);
    expect(tokens.redact("Binder Error: x1 and it's, but not x12", bound.sql)).toBe(
      `Binder Error: ${use('X')} and ${use('Y')}, but not x12`,
    );
  });

  test.each([
    ['in another case', use('X'), 'Evil_Fn', 'function evil_fn does not exist', `function ${use('X')} does not exist`],
    ['with a hyphen', `'${use('X')}'`, 'eu-west', 'near "eu-west"', `near "${use('X')}"`],
    ['within a longer word', `'x${use('X')}y'`, 'eu-west', 'near "xeu-westy"', `near "x${use('X')}y"`],
    ['in parts', use('X'), 'sales.orders', 'schema "sales" does not exist', `schema "${use('X')}" does not exist`],
    ['after a word', `'a${use('X')}'`, '; secret', 'near "b; secret"', `near "b${use('X')}"`],
  ])('are removed from messages %s', (_, sql, value, message, expected) => {
    const bound = bind(sql, value);
    expect('sql' in bound && tokens.redact(message, bound.sql)).toBe(expected);
  });

  test.each(["'", '"', '/*', '$a$b', "e'", '--'])('take linear time in SQL that repeats %s', part => {
    expect(bind(part.repeat(300_000) + use('X'), 'a')).toMatchObject({ sql: expect.stringContaining('pa_env_') });
  });

  test('cannot make a statement longer than 4 MB', () => {
    const bound = bind(`'${use('X').repeat(1000)}'`, 'x'.repeat(30_000));
    expect(() => 'sql' in bound && tokens.reveal(bound.sql)).toThrow('too long');
  });

  test('have equal tokens for equal values, and no guessable ones', () => {
    expect(bind(use('X'), 'same')).toEqual(bind(use('X'), 'same'));
    expect(bind(use('X'), 'same')).not.toEqual(bind(use('X'), 'other'));
    expect(tokens.reveal(`pa_env_${'0'.repeat(32)}`)).toBe(`pa_env_${'0'.repeat(32)}`);
  });

  test.each([
    ['a word', `FROM ${use('X')}`, 'sales.orders_2'],
    ['a word in a quoted identifier', `FROM "${use('X')}"`, 'sales'],
    ['any text in a string', `a = '${use('X')}'`, 'New York; -- /* "x" */'],
    ['text in a string after a quote in a comment', `-- don't\n a = '${use('X')}'`, 'New York'],
    ['text in a string after an escaped quote', `a = 'it''s' AND b = '${use('X')}'`, 'New York'],
  ])('can be %s', (_, sql, value) => {
    expect(revealed(sql, value)).toBe(sql.replace(use('X'), value));
  });

  test('negative numbers do not begin a comment', () => {
    expect(revealed(`a -${use('X')}`, '-5')).toBe('a -(-5)');
  });

  test.each([
    ['SQL', `FROM ${use('X')}`, 'orders UNION ALL SELECT * FROM secrets'],
    ['a comment', `a = ${use('X')}`, '1--'],
    ['an identifier that ends', `FROM "${use('X')}"`, 'a" b'],
    ['nothing', `a = ${use('X')}`, ''],
    ['SQL after a quote in a comment', `-- don't\n a = ${use('X')} -- '`, '1 OR true'],
    ['SQL in a comment', `/* ' ${use('X')} ' */`, '*/ x'],
    ['an escape', `a = '${use('X')}'`, 'a\\'],
    ['SQL in a string with escapes', `a = E'${use('X')}'`, "\\' OR true"],
    ['SQL in a nested comment', `/* /* */ '${use('X')}' */ 1`, '*/ x'],
    ['SQL in a dollar-quoted string', `a = $$'${use('X')}'$$`, '$$ OR true'],
  ])('cannot be %s, and the message has no value', (_, sql, value) => {
    expect(revealed(sql, value)).toMatch(/^the value of the environment variable X must/);
    if (value !== '') expect(revealed(sql, value)).not.toContain(value);
  });

  test('masked and missing ones are refused', () => {
    const problem = (name: string) => tokens.bind(use(name), variablesOf({ db_password: 'p' }), new Map());
    expect(problem('db_password')).toMatchObject({ problem: expect.stringContaining('db_password is masked') });
    expect(problem('MISSING')).toMatchObject({ problem: 'the environment variable MISSING is not set' });
  });

  test('in the URL of a data source are percent-encoded, masked or not', () => {
    const url = `postgres://me:${use('DB_PASSWORD')}@db/${use('NAME')}`;
    const variables = variablesOf({ DB_PASSWORD: 'p@ss/w:rd', NAME: 'sales' });
    expect(bindUrl(url, variables)).toEqual({ url: 'postgres://me:p%40ss%2Fw%3Ard@db/sales' });
    expect(bindUrl(url, variablesOf({ NAME: 'x' }))).toEqual({ unset: 'DB_PASSWORD' });
  });
});

describe('a model with environment variables', () => {
  let folder: string;
  let data: DataApi;
  let values: ModelVariables = new Map();
  const onProblem = vi.fn<(message: string) => void>();
  const onNotice = vi.fn<(message: string) => void>();
  const query = { measures: ['orders.count'] };
  const signal = new AbortController().signal;
  const modelOf = (cube: string) => `cubes:
  - name: orders
    ${cube}
    measures: [{ name: count, type: count }]
    dimensions: [{ name: city, sql: city, type: string }]
    ${allRowsPolicy}
`;
  const useOfCity = `sql: "SELECT * FROM orders WHERE city = '{{ env_var('CITY') }}'"`;
  const count = async () => (await data.dataOf(caller())?.load(query, { signal }))?.rowSet;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pa-variables-'));
    const [model, sources] = [join(folder, 'model'), join(folder, 'sources')];
    await mkdir(model);
    await mkdir(sources);
    await writeFile(join(sources, 'orders.csv'), 'id,city\n1,Rome\n2,Rome\n3,New York\n');
    await writeFile(join(model, 'orders.yml'), modelOf(useOfCity));
    data = await openDataApi({
      modelDirectory: model,
      place: { kind: 'files', directory: sources },
      limits: {},
      openVariables: async () => ({
        get current() {
          return values;
        },
        onChange: () => {},
      }),
      onNotice,
      onProblem,
      onReloadFailure: () => {},
    });
  });
  afterAll(async () => {
    await data.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    onProblem.mockClear();
  });

  /** Sets variables, and waits until another version is served. */
  async function set(next: Record<string, string>): Promise<void> {
    const before = data.state()?.modelVersion;
    values = variablesOf(next);
    await eventually(() => expect(data.state()?.modelVersion).not.toBe(before));
  }

  test('serves no cubes while a value is missing, and the data once it is set', async () => {
    expect(data.publicModel()?.cubes).toEqual([]);
    await set({ CITY: 'Rome' });
    expect(data.publicModel()?.cubes).toHaveLength(1);
    expect((await count())?.rows).toEqual([{ 'orders.count': '2' }]);
  });

  test('recompiles when a value changes, so that no cached rows of the previous value are served', async () => {
    await set({ CITY: 'New York' });
    expect((await count())?.rows).toEqual([{ 'orders.count': '1' }]);
    await set({ CITY: 'Rome' });
    expect((await count())?.rows).toEqual([{ 'orders.count': '2' }]);
  });

  test('has no value in meta, in generated SQL and in messages', async () => {
    await set({ CITY: 'Unlikely Town' });
    const routes = new Hono().route(
      '/',
      data.routes({
        authenticate: async () => ({ securityContext: caller(), isDeveloper: true }),
        onFailure: () => {},
      }),
    );
    const read = async (path: string) => (await routes.request(path)).text();
    const generated = await read(`/v1/sql?query=${encodeURIComponent(JSON.stringify(query))}`);
    expect(generated).toContain(`{{ env_var('CITY') }}`);
    const meta = await read('/v1/meta');
    for (const text of [generated, meta]) expect(text).not.toMatch(/Unlikely|pa_env_/);
    expect(JSON.stringify([onNotice.mock.calls, onProblem.mock.calls])).not.toMatch(/Unlikely|pa_env_/);
  });

  test('keeps the previous version for a value that cannot be used, and reports no value', async () => {
    await set({ CITY: 'Rome' });
    values = variablesOf({ CITY: 'back\\slash' });
    await eventually(() => expect(onProblem).toHaveBeenCalled());
    expect(onProblem.mock.calls.join()).toContain('orders.yml:3');
    expect(onProblem.mock.calls.join()).not.toContain('slash\\');
    expect((await count())?.rows).toEqual([{ 'orders.count': '2' }]);
  });

  test.each([
    ['policy values', `access_policy: [{ group: "{{ env_var('CITY') }}", row_level: { allow_all: true } }]`],
    ['titles', `title: "{{ env_var('CITY') }}"`],
    ['keys', `"{{ env_var('CITY') }}": x`],
    ['another form', `sql: "SELECT {{env_var('CITY')}}"`],
    ['other templates', `sql: "SELECT {{ env_var('CITY') | upper }}"`],
  ])('rejects %s', async (_, field) => {
    const { readModelFiles } = await import('../../../src/platform/data/model/model-files.js');
    const directory = await mkdtemp(join(folder, 'rejected-'));
    await writeFile(join(directory, 'orders.yml'), `cubes:\n  - name: orders\n    sql_table: orders\n    ${field}\n`);
    const scope = { values: variablesOf({ CITY: 'Rome' }), tokens: new VariableTokens() };
    const { problems } = await readModelFiles(directory, scope);
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems)).not.toContain('Rome');
  });
});
