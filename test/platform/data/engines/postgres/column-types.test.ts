import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../../src/platform/data/engines/engine.js';
import { openPostgresEngine } from '../../../../../src/platform/data/engines/postgres/open-postgres-engine.js';
import { type DataSource, startDataSource } from './data-source.js';

let source: DataSource;
let engine: Engine;

beforeAll(async () => {
  source = await startDataSource();
  await source.run("CREATE TYPE mood AS ENUM ('good', 'bad')");
  engine = await openPostgresEngine({ url: source.url });
});
afterAll(async () => {
  await engine.close();
  await source.stop();
});

describe('a cell', () => {
  it.each([
    ['7::smallint', '7'],
    ['(-9223372036854775808)::bigint', '-9223372036854775808'],
    ['9223372036854775807 * 4::numeric', '36893488147419103228'],
    ['0.1::float8', '0.1'],
    ['0.1::float8 + 0.2::float8', '0.30000000000000004'],
    ['0.1::float4', '0.1'],
    ['16777216::float4', '16777216'],
    ['1e300::float8', '1e+300'],
    [`'-0'::float8`, '0'],
    [`'NaN'::float8`, null],
    [`'-infinity'::float4`, null],
    [`'NaN'::numeric`, null],
    ['1.500::numeric(10, 3)', '1.5'],
    ['2.000::numeric(10, 3)', '2'],
    ['-0.050::numeric(10, 3)', '-0.05'],
    ['100.00::numeric(10, 2)', '100'],
    ['100::numeric', '100'],
    ['0.00::numeric(10, 2)', '0'],
    ['12345678901234567890.12::numeric(38, 2)', '12345678901234567890.12'],
    [`DATE '2001-02-03'`, '2001-02-03T00:00:00.000'],
    [`TIMESTAMP '2001-02-03 04:05:06.789123'`, '2001-02-03T04:05:06.789'],
    [`TIMESTAMP '2001-02-03 04:05:06.7'`, '2001-02-03T04:05:06.700'],
    [`TIMESTAMP '1969-12-31 23:59:59.9995'`, '1969-12-31T23:59:59.999'],
    [`TIMESTAMPTZ '2001-02-03 04:05:06+02'`, '2001-02-03T02:05:06.000'],
    [`TIMESTAMPTZ '2001-02-03 04:05:06.5-03:30'`, '2001-02-03T07:35:06.500'],
    [`TIMESTAMP '9999-12-31 23:59:59.999999'`, '9999-12-31T23:59:59.999'],
    [`TIMESTAMP '0001-01-01 00:00:00.000001'`, '0001-01-01T00:00:00.000'],
    [`'infinity'::timestamp`, 'infinity'],
    [`DATE '0044-03-15 BC'`, '0044-03-15 BC'],
    [`TIME '04:05:06'`, '04:05:06'],
    ['true', true],
    ['false', false],
    ['NULL', null],
    [`'text'`, 'text'],
    [`''`, ''],
    [`'é😀'`, 'é😀'],
    ['ARRAY[1, 2]', '{1,2}'],
    [`'good'::mood`, 'good'],
    [`' a'::char(3)`, ' a'],
  ])('formats %s as %j', async (expression, expected) => {
    expect((await engine.run(`SELECT ${expression}`, [])).columns).toEqual([[expected]]);
  });
});
