import { describe, expect, it } from 'vitest';
import { aggregateType } from '../../../../../src/platform/data/sql/expression/aggregate-type.js';
import { commonType, isOutput } from '../../../../../src/platform/data/sql/expression/common-type.js';
import { converted } from '../../../../../src/platform/data/sql/expression/conversion.js';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import type { Expression, Literal } from '../../../../../src/platform/data/sql/tree.js';

const { boolean, integer, bigint, numeric, ratio, double, text, date, timestamp, interval, unknown, other } = SqlType;

const constant = (type: SqlType, value: Literal['value']): Literal => ({ kind: 'literal', type, value });
const column = (type: SqlType): Expression => ({ kind: 'column', type, source: 0, column: 0 });

describe('the common type', () => {
  it.each([
    [[integer], integer],
    [[integer, bigint], bigint],
    [[numeric, integer], numeric],
    [[ratio, numeric], ratio],
    [[numeric, ratio, integer], ratio],
    [[ratio, double], double],
    [[bigint, double, numeric], double],
    [[date, timestamp], timestamp],
    [[timestamp, date], timestamp],
    [[unknown, integer, unknown], integer],
    [[unknown, unknown], text],
    [[unknown], text],
    [[other], text],
    [[other, text], text],
    [[interval, unknown], interval],
  ])('of %j is %s', (types, type) => {
    expect(commonType(types)).toBe(type);
  });

  it.each([
    [[integer, text]],
    [[boolean, integer]],
    [[date, text]],
    [[timestamp, integer]],
    [[interval, timestamp]],
    [[other, integer]],
  ])('of %j is none', types => {
    expect(() => commonType(types, 5)).toThrow(/can't stand together: cast one of them/);
  });
});

describe('a value becomes another type by itself', () => {
  it.each([
    [constant(unknown, '5'), integer, constant(integer, 5)],
    [constant(unknown, ' 5 '), bigint, constant(bigint, '5')],
    [constant(unknown, '0.50'), numeric, constant(numeric, '0.50')],
    [constant(unknown, '1e-2'), double, constant(double, 0.01)],
    [constant(unknown, 'yes'), boolean, constant(boolean, true)],
    [constant(unknown, 'x'), text, constant(text, 'x')],
    [constant(unknown, '2024-1-5'), date, constant(date, '2024-01-05')],
    [constant(unknown, '2024-01-05'), timestamp, constant(timestamp, '2024-01-05T00:00:00.000')],
    [constant(unknown, null), date, constant(date, null)],
    [constant(integer, 5), numeric, constant(numeric, '5')],
    [constant(integer, 5), bigint, constant(bigint, '5')],
    [constant(bigint, '5'), double, constant(double, 5)],
    [constant(date, '2024-01-05'), timestamp, constant(timestamp, '2024-01-05T00:00:00.000')],
    [column(integer), double, { kind: 'cast', type: double, value: column(integer) }],
    [column(other), text, { kind: 'cast', type: text, value: column(other) }],
    [column(ratio), numeric, column(ratio)],
    [column(text), text, column(text)],
  ])('%j as %s', (value, type, expected) => {
    expect(converted(value, type)).toEqual(expected);
  });

  it.each([
    [column(text), integer, 'text does not become integer by itself: cast it'],
    [column(double), numeric, 'double precision does not become numeric by itself: cast it'],
    [column(timestamp), date, 'timestamp does not become date by itself: cast it'],
    [constant(integer, 1), boolean, 'integer does not become boolean by itself: cast it'],
    [constant(unknown, 'x'), integer, "'x' can't be read as integer"],
  ])('%j not as %s', (value, type, problem) => {
    expect(() => converted(value, type)).toThrow(problem);
  });
});

describe('aggregates', () => {
  it.each([
    ['count', text, bigint],
    ['sum', integer, bigint],
    ['sum', bigint, numeric],
    ['sum', numeric, numeric],
    ['sum', ratio, ratio],
    ['sum', double, double],
    ['avg', integer, ratio],
    ['avg', numeric, ratio],
    ['avg', double, double],
    ['min', text, text],
    ['max', timestamp, timestamp],
    ['max', other, text],
    ['every', boolean, boolean],
    ['stddev', integer, ratio],
    ['variance', double, double],
    ['percentile_cont', integer, double],
    ['percentile_disc', date, date],
  ])('%s(%s) is %s', (name, argument, type) => {
    expect(aggregateType(name, argument)).toBe(type);
  });

  it.each([
    ['sum', text],
    ['avg', date],
    ['min', boolean],
    ['max', interval],
    ['bool_or', integer],
    ['percentile_cont', text],
    ['median', integer],
    ['constructor', integer],
  ])('%s(%s) is none', (name, argument) => {
    expect(() => aggregateType(name, argument)).toThrow('There is no');
  });
});

it('an interval stays inside', () => {
  expect([interval, integer, ratio].map(isOutput)).toEqual([false, true, true]);
});
