import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { readColumns, TimeText } from '../../../../../src/platform/data/engines/duckdb/cells.js';

async function cell(expression: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  const columns = await readColumns(await connection.run(`SELECT ${expression}`));
  connection.closeSync();
  instance.closeSync();
  return columns[0]?.[0];
}

describe('a cell', () => {
  it.each([
    ['7::TINYINT', '7'],
    ['(-9223372036854775808)::BIGINT', '-9223372036854775808'],
    ['(SELECT sum(9223372036854775807) FROM range(4))', '36893488147419103228'],
    ['0.1::DOUBLE', '0.1'],
    ['0.1::DOUBLE + 0.2::DOUBLE', '0.30000000000000004'],
    ['0.1::FLOAT', '0.1'],
    ['16777216::FLOAT', '16777216'],
    ['1.17549435e-38::FLOAT', '1.1754944e-38'],
    ['1e300::DOUBLE', '1e+300'],
    ['-0.0::DOUBLE', '0'],
    [`'NaN'::DOUBLE`, null],
    [`'-inf'::FLOAT`, null],
    ['1.500::DECIMAL(10, 3)', '1.5'],
    ['2.000::DECIMAL(10, 3)', '2'],
    ['-0.050::DECIMAL(10, 3)', '-0.05'],
    ['0.999::DECIMAL(3, 3)', '0.999'],
    ['100.00::DECIMAL(10, 2)', '100'],
    ['100::DECIMAL(10, 0)', '100'],
    ['0.00::DECIMAL(10, 2)', '0'],
    ['12345678901234567890.12::DECIMAL(38, 2)', '12345678901234567890.12'],
    [`DATE '2001-02-03'`, '2001-02-03T00:00:00.000'],
    [`TIMESTAMP '2001-02-03 04:05:06.789123'`, '2001-02-03T04:05:06.789'],
    [`TIMESTAMP '1969-12-31 23:59:59.9995'`, '1969-12-31T23:59:59.999'],
    [`TIMESTAMP_S '2001-02-03 04:05:06'`, '2001-02-03T04:05:06.000'],
    [`TIMESTAMP_MS '2001-02-03 04:05:06.7'`, '2001-02-03T04:05:06.700'],
    [`TIMESTAMP_NS '2001-02-03 04:05:06.789123456'`, '2001-02-03T04:05:06.789'],
    [`TIMESTAMPTZ '2001-02-03 04:05:06+02'`, '2001-02-03T02:05:06.000'],
    [`TIMESTAMP '2001-02-03 04:05:06.999999'`, '2001-02-03T04:05:06.999'],
    [`TIMESTAMP '9999-12-31 23:59:59.999999'`, '9999-12-31T23:59:59.999'],
    [`TIMESTAMP '0001-01-01 00:00:00.000001'`, '0001-01-01T00:00:00.000'],
    [`DATE '12001-02-03'`, '+012001-02-03T00:00:00.000'],
    [`'infinity'::TIMESTAMP`, 'infinity'],
    [`TIME '04:05:06'`, '04:05:06'],
    ['true', true],
    ['NULL', null],
    [`'text'`, 'text'],
    [`''`, ''],
    [`'é😀'`, 'é😀'],
    ['[1, 2]', '[1, 2]'],
    [`'a'::ENUM('a')`, 'a'],
  ])('formats %s as %j', async (expression, expected) => {
    expect(await cell(expression)).toBe(expected);
  });

  it('keeps its column and row across chunks, including nulls', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    const sql = 'SELECT range, if(range % 2 = 0, NULL, range) FROM range(5000)';
    const [numbers, odd] = await readColumns(await connection.run(sql));
    expect(numbers).toEqual(Array.from({ length: 5000 }, (_, index) => String(index)));
    expect(odd?.slice(4998)).toEqual([null, '4999']);
    instance.closeSync();
  });

  it('returns columns without cells for an empty result', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    expect(await readColumns(await connection.run('SELECT 1, 2 WHERE false'))).toEqual([[], []]);
    instance.closeSync();
  });
});

const moments = [
  0,
  -1,
  86_399_999,
  86_400_000,
  981_173_106_007,
  -62_135_596_800_000,
  -62_198_755_200_000,
  253_402_300_799_999,
  253_402_300_800_000,
  8.64e15,
  -8.64e15,
  ...Array.from({ length: 2000 }, (_, step) => (step - 1000) * 1_234_567_891),
];

describe('TimeText', () => {
  it('matches the ISO format before 1970 and after year 9999', () => {
    const times = new TimeText();
    const expected = moments.map(millis => new Date(millis).toISOString().slice(0, -1));
    expect(moments.map(millis => times.write(millis))).toEqual(expected);
    expect(moments.map(millis => times.write(millis))).toEqual(expected);
  });

  it.each([8.64e15 + 1, -8.64e15 - 1, Number.NaN, Number.POSITIVE_INFINITY])('returns undefined for %s', millis => {
    expect(new TimeText().write(millis)).toBeUndefined();
  });
});
