import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendTable } from '../../../../src/platform/data/tables/append-table.js';
import { convertTable } from '../../../../src/platform/data/tables/convert-table.js';
import { runTableProcess } from '../../../../src/platform/data/tables/run-table-process.js';
import { suggestTable, tableExtension } from '../../../../src/platform/data/tables/table-format.js';

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-tables-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a file, and returns the request that converts it. */
async function requestOf(name: string, content: string | Uint8Array, sheet: string | null = null) {
  count += 1;
  const scratch = join(folder, String(count));
  await mkdir(scratch);
  const file = join(scratch, name);
  await writeFile(file, content);
  return { kind: 'convert', file, sheet, output: join(scratch, 'table.parquet'), scratch } as const;
}

async function convert(name: string, content: string | Uint8Array, sheet: string | null = null) {
  return convertTable(await requestOf(name, content, sheet));
}

const workbook = (rows: CellValue[][], name = 'Sheet 1') => writeXlsx({ sheets: [{ name, rows }] });

/** Runs a statement of DuckDB, such as one that writes a Parquet file. */
async function run(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  await (await instance.connect()).run(sql);
  instance.closeSync();
}

async function parquet(select: string): Promise<Uint8Array> {
  count += 1;
  const file = join(folder, `${count}.parquet`);
  await run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  return readFile(file);
}

describe('an uploaded file', () => {
  it.each([
    ['a.csv', 'shop,day,amount,code\nA,2024-01-02,1.5,007\nB,2024-01-03,2,008\n'],
    ['a.tsv', 'shop\tday\tamount\tcode\nA\t2024-01-02\t1.5\t007\nB\t2024-01-03\t2\t008\n'],
    [
      'a.json',
      '[{"shop":"A","day":"2024-01-02","amount":1.5,"code":"007"},{"shop":"B","day":"2024-01-03","amount":2,"code":"008"}]',
    ],
  ])('%s becomes a table with types', async (name, content) => {
    expect(await convert(name, content)).toEqual({
      rows: 2,
      columns: [
        { name: 'shop', type: 'VARCHAR' },
        { name: 'day', type: 'DATE' },
        { name: 'amount', type: 'DOUBLE' },
        { name: 'code', type: 'VARCHAR' },
      ],
      preview: [
        ['A', '2024-01-02', '1.5', '007'],
        ['B', '2024-01-03', '2.0', '008'],
      ],
      sheets: [],
    });
  });

  it('of Parquet keeps its types', async () => {
    const content = await parquet("SELECT 1::INTEGER AS id, DATE '2024-01-02' AS day, [1, 2] AS list");
    const { columns, preview } = await convert('a.parquet', content);
    expect(columns.map(({ type }) => type)).toEqual(['INTEGER', 'DATE', 'INTEGER[]']);
    expect(preview).toEqual([['1', '2024-01-02', '[1, 2]']]);
  });

  it.each([
    ['a.csv', '', 'is empty'],
    ['a.csv', 'a,b\n1,2,3\n', 'has 2 columns, but 3 values in line 2'],
    ['a.csv', 'a,A\n1,2\n', 'two columns with the same name'],
    ['a.csv', 'PK\u0003\u0004', 'a different format than its extension'],
    ['a.csv', 'a\n\u0000\n', 'is not UTF-8 text'],
    ['a.parquet', 'a,b\n1,2\n', 'a different format than its extension'],
    ['a.parquet', 'PAR1 and nothing else', null],
    ['a.xlsx', 'PK\u0003\u0004 and nothing else', 'is not a readable XLSX file'],
    ['a.json', '{"a":', null],
    ['a.csv', `a\n${'x'.repeat(1_100_000)}\n`, 'a value of more than 1 MB'],
    ['a.csv', `${'x'.repeat(300)}\n1\n`, 'an invalid name in column 1'],
  ])('%s with %j is rejected', async (name, content, message) => {
    const converted = convert(name, content);
    await (message === null ? expect(converted).rejects.toThrow() : expect(converted).rejects.toThrow(message));
  });
});

describe('a workbook', () => {
  it('becomes a table of its first sheet, or the sheet that is named', async () => {
    const day = new Date('2024-01-02T00:00:00Z');
    const content = await writeXlsx({
      sheets: [
        {
          name: 'Orders',
          rows: [
            [],
            ['2024', 'id', 'day', 'is open', 'note'],
            [1.5, '007', day, true, '#N/A'],
            [],
            [2, '008', new Date('2024-01-03T00:00:00Z'), false, 'late'],
          ],
        },
        { name: 'Other', rows: [['name'], ['x']] },
      ],
    });
    const orders = await convert('a.xlsx', content);
    expect(orders).toEqual({
      rows: 2,
      columns: [
        { name: '2024', type: 'DOUBLE' },
        { name: 'id', type: 'VARCHAR' },
        { name: 'day', type: 'DATE' },
        { name: 'is open', type: 'BOOLEAN' },
        { name: 'note', type: 'VARCHAR' },
      ],
      preview: [
        ['1.5', '007', '2024-01-02', 'true', null],
        ['2.0', '008', '2024-01-03', 'false', 'late'],
      ],
      sheets: ['Orders', 'Other'],
    });
    expect((await convert('a.xlsx', content, 'Other')).preview).toEqual([['x']]);
    await expect(convert('a.xlsx', content, 'Missing')).rejects.toThrow('its sheets are Orders, Other');
  });

  it.each<[string, CellValue[][], string]>([
    ['no rows', [['a', 'b']], 'no rows below the column names'],
    ['no content', [[]], 'an empty sheet'],
    [
      'a repeated name',
      [
        ['a', 'A'],
        [1, 2],
      ],
      'repeated name in column 2',
    ],
    ['values without a name', [['a'], [1, 2]], 'values to the right'],
  ])('with %s is rejected', async (_, rows, message) => {
    await expect(convert('a.xlsx', await workbook(rows))).rejects.toThrow(message);
  });

  it('whose archive would be too large is rejected before it is extracted', async () => {
    const content = Buffer.from(await workbook([['a'], ['x'.repeat(9_000_000)]]));
    await expect(convert('a.xlsx', content)).rejects.toThrow('too large when it is extracted');
  });

  it('whose directory hides the size of an entry is rejected', async () => {
    const content = Buffer.from(await workbook([['a'], ['b']]));
    const end = content.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    const entry = content.readUInt32LE(end + 16);
    for (const size of [0, 0xffffffff]) {
      content.writeUInt32LE(size, entry + 24);
      await expect(convert('a.xlsx', content)).rejects.toThrow('is not a readable XLSX file');
    }
    // The reader would take both sizes from elsewhere.
    content.writeUInt32LE(0, entry + 24);
    content.writeUInt32LE(0, entry + 20);
    content.writeUInt16LE(content.readUInt16LE(entry + 8) | 8, entry + 8);
    await expect(convert('a.xlsx', content)).rejects.toThrow('is not a readable XLSX file');
    content.writeUInt32LE(100, entry + 20);
    // The reader stops at the size of the directory.
    content.writeUInt32LE(10, entry + 24);
    await expect(convert('a.xlsx', content)).rejects.toThrow(/XLSX|opens in Excel/);
  });

  it('with a second directory in the format ZIP64 is rejected', async () => {
    const content = Buffer.from(await workbook([['a'], ['b']]));
    const end = content.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    const hidden = Buffer.from(content);
    hidden.writeUInt32LE(0xffffffff, end + 12);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50);
    const located = Buffer.concat([content.subarray(0, end), locator, content.subarray(end)]);
    for (const archive of [hidden, located]) {
      await expect(convert('a.xlsx', archive)).rejects.toThrow('is not a readable XLSX file');
    }
  });
});

describe('appended rows', () => {
  async function append(base: string, added: string) {
    const [first, second] = [await requestOf('base.csv', base), await requestOf('added.csv', added)];
    await convertTable(first);
    await convertTable(second);
    const output = join(first.scratch, 'appended.parquet');
    const { scratch } = first;
    return appendTable({ kind: 'append', base: first.output, added: second.output, output, scratch });
  }

  it('keep the columns and types of the table', async () => {
    const { rows, columns, preview } = await append('shop,amount,note\nA,1.5,\n', 'AMOUNT,shop\n2,B\n');
    expect(rows).toBe(2);
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'shop VARCHAR',
      'amount DOUBLE',
      'note VARCHAR',
    ]);
    expect(preview).toEqual([
      ['A', '1.5', null],
      ['B', '2.0', null],
    ]);
  });

  it.each([
    ['amount\n1\n', 'amount,extra\n2,3\n', 'has the column "extra"'],
    ['amount\n1\n', 'amount\n1.5\n', 'has DOUBLE values in the column "amount", which is BIGINT'],
  ])('to %j reject %j', async (base, added, message) => {
    await expect(append(base, added)).rejects.toThrow(message);
  });
});

describe('the process that reads a file', () => {
  const limits = { owner: '1', name: 'a.csv' };

  it('returns the table, or the problem with the name of the file', async () => {
    expect(await runTableProcess(limits, await requestOf('a.csv', 'a\n1\n'))).toMatchObject({ rows: 1 });
    const broken = runTableProcess(limits, await requestOf('a.csv', 'a,b\n1,2,3\n'));
    await expect(broken).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^a\.csv has 2 columns/),
    });
  });

  it('is killed after its time', async () => {
    const late = runTableProcess({ ...limits, timeoutMs: 1 }, await requestOf('a.csv', 'a\n1\n'));
    await expect(late).rejects.toMatchObject({ status: 400, message: expect.stringContaining('to read: split it') });
  });

  it.runIf(process.platform === 'linux')('is killed if it needs too much memory', async () => {
    const large = runTableProcess({ ...limits, maxMemoryBytes: 1 }, await requestOf('a.csv', 'a\n1\n'));
    await expect(large).rejects.toMatchObject({ status: 400, message: expect.stringContaining('too much memory') });
  });

  it('does not write more than its limit', async () => {
    for (const rows of [100, 3_000_000]) {
      const input = await parquet(`SELECT hash(i) AS a FROM range(${rows}) AS r(i)`);
      const large = runTableProcess({ ...limits, maxOutputBytes: 100 }, await requestOf('a.parquet', input));
      await expect(large).rejects.toMatchObject({ message: expect.stringContaining('too large when it is extracted') });
    }
  });
});

it('takes the format and a table name from the name of a file', () => {
  expect(tableExtension('Orders.XLSX')).toBe('.xlsx');
  expect(() => tableExtension('orders.csv.exe')).toThrow('must be a CSV');
  expect(() => tableExtension('../../etc/passwd')).toThrow(TypeError);
  expect(suggestTable('Größe (2024).csv')).toBe('gro_e_2024');
  expect(suggestTable('表.csv')).toBe('data');
});
