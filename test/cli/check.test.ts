import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { check, checkHelp, readCheckOptions } from '../../src/cli/check.js';
import { SqlDialect } from '../../src/platform/data/engines/engine.js';
import { startDataSource } from '../platform/data/engines/postgres/data-source.js';
import { allRowsPolicy } from '../platform/data/model/model-yaml.js';

const model = `cubes:
  - name: flights
    sql_table: flights
    measures: [{ name: count, type: count }]
    ${allRowsPolicy}
views:
  - name: everything
    cubes: [{ join_path: flights, includes: "*" }]
    ${allRowsPolicy}
`;

let folder: string;
const print = vi.fn<(line: string) => void>();
const note = vi.fn<(text: string) => void>();

beforeEach(async () => {
  vi.clearAllMocks();
  environment = {};
  folder = await mkdtemp(join(tmpdir(), 'pa-check-'));
  await mkdir(join(folder, 'model'));
  await mkdir(join(folder, 'sources'));
});

afterEach(() => rm(folder, { recursive: true }));

const read = (name: string) => readFile(join(folder, name), 'utf8');
const write = (name: string, text: string) => writeFile(join(folder, name), text);
let environment: Record<string, string> = {};
const run = (...args: string[]) => {
  const options = readCheckOptions(['--model', join(folder, 'model'), ...args], environment);
  return options === null ? null : check(options, { print, note });
};
const runWithSources = (...args: string[]) => run('--sources', join(folder, 'sources'), ...args);

describe('pa-platform check of the model', () => {
  test('counts the cubes and views of a valid model', async () => {
    await write('model/flights.yml', model);
    expect(await run()).toBe(0);
    expect(print.mock.calls).toEqual([['ok: 1 cube, 1 view']]);
    expect(note).not.toHaveBeenCalled();
  });

  test('reports every problem with file and line', async () => {
    await write('model/flights.yml', model.replace('name: count, type: count', 'name: count, type: nope'));
    await write('model/more.yml', 'cubes:\n  - name: x\n    sql_table: x\n    nope: 1\n');
    expect(await run()).toBe(1);
    expect(print).not.toHaveBeenCalled();
    const lines = note.mock.calls.map(([line]) => line.slice(folder.length + 1));
    expect(lines).toEqual([
      expect.stringMatching(/^model\/flights\.yml:4: .*type/),
      'model/more.yml:4: Unknown key "nope"',
    ]);
  });

  test('warns about valid models with probable mistakes', async () => {
    const odd = `cubes:
  - name: flights
    sql_table: flights
    dimensions:
      - { name: price, sql: price, type: number, format: curency }
      - { name: day, sql: day, type: time, format: "%Y" }
      - { name: logo, sql: logo, type: string, format: imageUrl }
      - { name: code, sql: code, type: string, format: currency_x }
    measures:
      - { name: delay, sql: delay, type: avg, format: ",.1f" }
      - { name: count, type: count, format: abbr_1 }
      - { name: last, sql: "max({CUBE}.day)", type: time, format: last }
`;
    await write('model/flights.yml', odd);
    expect(await run()).toBe(0);
    expect(print.mock.calls).toEqual([['ok: 1 cube, 0 views']]);
    const place = join(folder, 'model/flights.yml');
    expect(note.mock.calls.map(([line]) => line)).toEqual([
      `warning: ${place}:2: No caller can see flights: add an access_policy`,
      `warning: ${place}:5: price: unknown format "curency"`,
      `warning: ${place}:8: code: unknown format "currency_x"`,
      `warning: ${place}:12: last: unknown format "last"`,
    ]);
    note.mockClear();
    expect(await run('--json')).toBe(0);
    expect(note).not.toHaveBeenCalled();
    expect(JSON.parse(print.mock.calls.at(-1)?.[0] ?? '').warnings).toHaveLength(4);
  });

  test('reports the location of the first definition of a duplicate name', async () => {
    await write('model/a.yml', model);
    await write('model/b.yml', model);
    expect(await run()).toBe(1);
    expect(note.mock.calls.map(([line]) => line.slice(folder.length + 1))).toEqual([
      'model/b.yml:2: flights is already the name of another cube or view: see a.yml:2',
      'model/b.yml:7: everything is already the name of another cube or view: see a.yml:7',
    ]);
  });

  test('reports a folder that cannot be read', async () => {
    const nowhere = {
      modelDirectory: '/no/such',
      place: null,
      dialect: SqlDialect.duckdb,
      json: false,
      variables: new Map(),
    };
    await expect(check(nowhere, { print, note })).rejects.toThrow('Could not read the model folder /no/such');
    await write('model/flights.yml', model);
    await expect(run('--sources', '/no/such')).rejects.toThrow('Could not read the sources folder /no/such');
  });
});

describe('pa-platform check with data sources', () => {
  test('checks a model with values of its environment variables, which it does not print', async () => {
    const withVariable = model.replace('sql_table: flights', `sql_table: "{{ env_var('TABLE') }}"`);
    await write('model/flights.yml', withVariable);
    await write('sources/flights.csv', 'id\n1\n');
    const lines = () => note.mock.calls.map(([line]) => line.replaceAll(`${folder}/`, ''));
    expect(await runWithSources()).toBe(1);
    expect(lines()).toEqual(['model/flights.yml:3: the environment variable TABLE is not set']);
    note.mockClear();
    expect(await runWithSources('--variable', 'TABLE=planes')).toBe(1);
    expect(lines()).toEqual([`model/flights.yml:3: Unknown table {{ env_var('TABLE') }}. Tables: flights`]);
    expect(await runWithSources('--variable', 'TABLE=flights')).toBe(0);
    expect(() => runWithSources('--variable', 'TABLE')).toThrow('--variable must have the form NAME=VALUE');
  });

  test('checks table names only if --sources is set', async () => {
    await write('model/flights.yml', model);
    expect(await runWithSources()).toBe(1);
    expect(note).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/flights\.yml:3: Unknown table flights/));
    await write('sources/flights.csv', 'id\n1\n');
    expect(await runWithSources()).toBe(0);
  });

  test('reports columns that do not exist in the sources', async () => {
    await write('sources/flights.csv', 'id,plane,delay\n1,7,3\n');
    await write('sources/planes.csv', 'id,name\n7,A\n');
    await write('sources/My Planes.csv', 'id\n7\n');
    const planes = `cubes:
  - name: planes
    sql_table: planes
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: seats, sql: "{CUBE}.seats", type: number, public: false }
    segments:
      - { name: large, sql: "{CUBE}.size > 100" }
    ${allRowsPolicy}
`;
    const flights = `cubes:
  - name: flights
    sql_table: flights
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    joins:
      - { name: planes, relationship: many_to_one, sql: "{CUBE}.plan = {planes.id}" }
    measures:
      - { name: count, type: count }
      - { name: late, sql: delays, type: sum }
      - { name: joined, sql: "{CUBE}.plane || 'x'", type: sum }
    ${allRowsPolicy}
  - name: recent
    sql: SELECT * FROM flights WHERE nope
    dimensions: [{ name: id, sql: id, type: number }]
    ${allRowsPolicy}
`;
    await write('model/flights.yml', flights);
    await write('model/planes.yml', planes);
    expect(await runWithSources()).toBe(1);
    expect(print).not.toHaveBeenCalled();
    const lines = note.mock.calls.map(([line]) => line.replaceAll(`${folder}/`, ''));
    expect(lines).toEqual([
      'Skipped the source "My Planes.csv": its name is not a valid table name. Rename it to my_planes.csv.',
      'model/flights.yml:9: late: the table flights has no column delays. Did you mean delay?',
      expect.stringMatching(/^model\/flights\.yml:10: joined: .*sum\(VARCHAR\)/),
      expect.stringMatching(/^model\/flights\.yml:13: recent cannot be queried: .*"nope"/),
      'model/planes.yml:6: seats: the table planes has no column seats. Columns: id, name',
      'model/planes.yml:8: large: the table planes has no column size. Columns: id, name',
    ]);
    note.mockClear();
    const fixed = flights.slice(0, flights.indexOf('      - { name: late'));
    await write('model/flights.yml', `${fixed}    ${allRowsPolicy}\n`);
    await write('model/planes.yml', planes.replace('{CUBE}.seats', '1').replace('{CUBE}.size', '{CUBE}.id'));
    expect(await runWithSources()).toBe(1);
    expect(note.mock.calls.slice(1).map(([line]) => line.replaceAll(`${folder}/`, ''))).toEqual([
      expect.stringMatching(/^model\/flights\.yml:6: join of planes: .*"plan"/),
    ]);
    await write('model/flights.yml', (await read('model/flights.yml')).replace('CUBE}.plan ', 'CUBE}.plane '));
    expect(await runWithSources()).toBe(0);
    expect(print).toHaveBeenLastCalledWith('ok: 2 cubes, 0 views');
  });

  test('reports a source that cannot be read', async () => {
    await write('model/flights.yml', model);
    await write('sources/flights.parquet', 'no data');
    await expect(runWithSources()).rejects.toThrow('flights.parquet');
  });

  test('parses the SQL of the model in the dialect of its data source', async () => {
    const quarter =
      "{ name: late, sql: \"date_bin(INTERVAL '1 day', {CUBE}.at, TIMESTAMP '2001-01-01')\", type: time }";
    await write('model/flights.yml', model.replace('measures:', `dimensions: [${quarter}]\n    measures:`));
    expect(await run('--dialect', 'postgres')).toBe(0);
    expect(() => run('--dialect', 'mysql')).toThrow('--dialect must be duckdb or postgres, not "mysql".');
    expect(() => run('--dialect', 'postgres', '--sources', folder)).toThrow(
      '--dialect must be duckdb with --sources: DuckDB reads the files.',
    );
    environment = { PA_DATA_SOURCE_URL: 'postgres://h/d' };
    expect(() => run('--dialect', 'duckdb')).toThrow('--dialect must be postgres with PA_DATA_SOURCE_URL');
    environment = {};
    expect(() => run('--data-schema', 'sales')).toThrow('--data-schema requires PA_DATA_SOURCE_URL');
  });

  test('checks tables in a data source', async () => {
    const source = await startDataSource();
    environment = { PA_DATA_SOURCE_URL: source.url };
    try {
      await write('model/flights.yml', model);
      expect(await run()).toBe(1);
      expect(note).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/flights\.yml:3: Unknown table flights/));
      await source.run('CREATE SCHEMA air; GRANT USAGE ON SCHEMA air TO reader; CREATE TABLE air.flights (id integer)');
      await source.run('GRANT SELECT ON air.flights TO reader');
      expect(await run('--data-schema', 'air')).toBe(0);
      expect(note).toHaveBeenCalledTimes(1);
      const hour = '{ name: hour, sql: "hour({CUBE}.id)", type: number }';
      await write('model/flights.yml', model.replace('measures:', `dimensions: [${hour}]\n    measures:`));
      expect(await run('--data-schema', 'air')).toBe(1);
      const column = '{ name: wheels, sql: wheels, type: number }';
      await write('model/flights.yml', model.replace('measures:', `dimensions: [${column}]\n    measures:`));
      expect(await run('--data-schema', 'air')).toBe(1);
      expect(note.mock.calls.slice(1).map(([line]) => line)).toEqual([
        expect.stringMatching(/flights\.yml:4: hour: .*function hour\(integer\) does not exist/),
        expect.stringMatching(/flights\.yml:4: wheels: the table flights has no column wheels\. Columns: id$/),
      ]);
      await expect(run('--data-schema', 'sea')).rejects.toThrow('The data source has no schema sea');
      expect(() => runWithSources()).toThrow('--sources and PA_DATA_SOURCE_URL are mutually exclusive');
    } finally {
      await source.stop();
    }
  });
});

describe('pa-platform check options and output', () => {
  test('prints one JSON object with --json', async () => {
    await write('model/flights.yml', model);
    expect(await run('--json')).toBe(0);
    await write('model/flights.yml', model.replace('count }', 'nope }'));
    expect(await run('--json')).toBe(1);
    expect(note).not.toHaveBeenCalled();
    const [sound, broken] = print.mock.calls.map(([text]) => JSON.parse(text));
    expect(sound).toEqual({ cubes: 1, views: 1, problems: [], warnings: [] });
    expect(broken.problems).toEqual([
      { file: 'flights.yml', line: 4, column: expect.any(Number), message: expect.any(String) },
    ]);
  });

  test('requires --model', () => {
    expect(() => readCheckOptions([], {})).toThrow('--model is required');
    expect(() => readCheckOptions(['--nope'], {})).toThrow("Unknown option '--nope'. See pa-platform check --help.");
  });

  test('prints all options with --help', () => {
    expect(readCheckOptions(['--help'], {})).toBeNull();
    expect([...checkHelp.matchAll(/^ {2}--([a-z-]+)/gm)].map(match => match[1])).toEqual([
      'model',
      'sources',
      'dialect',
      'data-schema',
      'variable',
      'json',
      'help',
    ]);
  });
});
