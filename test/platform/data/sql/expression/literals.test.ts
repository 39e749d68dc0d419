import { describe, expect, it } from 'vitest';
import { aggregateType } from '../../../../../src/platform/data/sql/expression/aggregates.js';
import { intervalText } from '../../../../../src/platform/data/sql/expression/interval-literal.js';
import { coerce, literalOf } from '../../../../../src/platform/data/sql/expression/literals.js';
import { regexCost } from '../../../../../src/platform/data/sql/expression/regex-pattern.js';
import { commonType, isOutput, SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import type { Expression, Literal } from '../../../../../src/platform/data/sql/tree.js';
import { problemOf, read } from './reading.js';

const readAs = (type: SqlType, text: string) => literalOf(type, text, undefined).value;

describe('a number', () => {
  it.each([
    ['1', SqlType.integer, 1],
    ['0', SqlType.integer, 0],
    ['-2147483648', SqlType.integer, -2147483648],
    ['2147483648', SqlType.bigint, '2147483648'],
    ['9223372036854775807', SqlType.bigint, '9223372036854775807'],
    ['9223372036854775808', SqlType.numeric, '9223372036854775808'],
    ['1_000_000', SqlType.integer, 1000000],
    ['0xFFFFFFFFFF', SqlType.bigint, '1099511627775'],
    ['0b11', SqlType.integer, 3],
    ['1.50', SqlType.numeric, '1.50'],
    ['.5', SqlType.numeric, '0.5'],
    ['5.', SqlType.numeric, '5'],
    ['1e3', SqlType.numeric, '1000'],
    ['1.25e1', SqlType.numeric, '12.5'],
    ['1e-3', SqlType.numeric, '0.001'],
    ['-0.0', SqlType.numeric, '0.0'],
  ])('%s is exact', (text, type, value) => {
    expect(read(text)).toEqual({ kind: 'literal', type, value });
  });

  it.each(['1e39', '1e-39', '1e999', '9'.repeat(39), `0.${'1'.repeat(39)}`, '1e99999999'])(
    '%s has too many digits',
    text => {
      expect(problemOf(text)).toContain('use at most 38 digits');
    },
  );

  it.each([
    [SqlType.integer, '2147483648'],
    [SqlType.integer, '1.5'],
    [SqlType.integer, '1e2'],
    [SqlType.integer, ''],
    [SqlType.bigint, '9223372036854775808'],
    [SqlType.numeric, 'NaN'],
    [SqlType.numeric, '.'],
    [SqlType.numeric, 'e5'],
    [SqlType.double, '1e999'],
    [SqlType.double, 'Infinity'],
    [SqlType.double, '1 2'],
    [SqlType.boolean, 'o'],
    [SqlType.boolean, '2'],
  ])('%s: %s is invalid', (type, text) => {
    expect(() => readAs(type, text)).toThrow('is not a valid');
  });
});

describe('a date or timestamp', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000'],
    [' 2024-2-9 ', '2024-02-09T00:00:00.000'],
    ['2024-02-29 23:59', '2024-02-29T23:59:00.000'],
    ['2024-02-29T23:59:59.5', '2024-02-29T23:59:59.500'],
    ['2024-02-29T23:59:59.123456Z', '2024-02-29T23:59:59.123456'],
    ['2024-02-29 01:02:03+02:00', '2024-02-29T01:02:03.000'],
    ['0001-01-01', '0001-01-01T00:00:00.000'],
  ])('%s is %s', (text, value) => {
    expect(readAs(SqlType.timestamp, text)).toBe(value);
    expect(readAs(SqlType.date, text)).toBe(value.slice(0, 10));
  });

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-00-01',
    '0000-01-01',
    '24-01-01',
    '2024-01-01 24:00',
    '2024-01-01 10',
    '2024-01-01 10:60',
    '2024-01-01 10:00:00.1234567',
    '1/2/2024',
    'today',
    'now',
    'infinity',
    '',
  ])('%s is invalid', text => {
    expect(() => readAs(SqlType.timestamp, text)).toThrow('is not a valid timestamp');
  });
});

describe('an interval', () => {
  it.each([
    ['1 day', '0 months 1 days 0 microseconds'],
    ['1 year 2 months 3 days 04:05:06.7', '14 months 3 days 14706700000 microseconds'],
    ['-1 month +2 days -00:00:01', '-1 months 2 days -1000000 microseconds'],
    ['2 weeks ago', '0 months -14 days 0 microseconds'],
    ['1.5 hours', '0 months 0 days 5400000000 microseconds'],
    ['5', '0 months 0 days 5000000 microseconds'],
    ['3 MONS', '3 months 0 days 0 microseconds'],
  ])('%s is %s', (text, value) => {
    expect(intervalText(text)).toBe(value);
  });

  it('multiplies the unit', () => {
    expect(intervalText('3', 'month')).toBe('3 months 0 days 0 microseconds');
    expect(read("interval '3' month")).toMatchObject({
      type: SqlType.interval,
      value: '3 months 0 days 0 microseconds',
    });
  });

  it.each([
    '',
    'day',
    '1 fortnight',
    '1.5 months',
    '1.5 days',
    '5 1 day',
    '1:60',
    '99999999999 days',
    '1 constructor',
    'P1D',
    '1-2',
  ])('%s is invalid', text => {
    expect(intervalText(text)).toBeUndefined();
  });
});

describe('a regular expression', () => {
  it.each([
    'a',
    '^a.c$',
    '[a-z]+',
    '[^,;]*',
    '(a|b){2,3}c?',
    '\\.',
    '\\d{4}-\\d{2}',
    '^a|b$',
    'été',
    '[a-]',
    '[a-cx-z-]',
    'a{0,255}',
    '(ab)+(cd)*',
  ])('%s means the same on both engines', pattern => {
    expect(regexCost(pattern)).toBeDefined();
  });

  it('counts with repetitions expanded', () => {
    expect(regexCost('(a.{3}|b){10}')?.states).toBeGreaterThan(50);
    expect(regexCost('(a{255}){255}')?.states).toBeGreaterThan(255 * 255);
    expect(regexCost('[a-z]{20}')?.wildcards).toBe(20);
  });

  it.each([
    '',
    '(a',
    'a)',
    '*a',
    'a**',
    'a*?',
    'a||b',
    '(?:a)',
    '(?i)a',
    '***=a',
    '\\w',
    '\\1',
    '\\',
    '[[:alpha:]]',
    '[a',
    '[]a]',
    '[z-a]',
    'a{256}',
    'a{3,2}',
    'a{',
    'a^b',
    'a$b',
    'a\nb',
    `${'('.repeat(30)}a${')'.repeat(30)}`,
  ])('%j is rejected', pattern => {
    expect(regexCost(pattern)).toBeUndefined();
  });
});

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
  ])('of %j does not exist', types => {
    expect(() => commonType(types, 5)).toThrow(/^Types .* cannot be matched: cast one of them$/);
  });
});

describe('an implicit cast', () => {
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
    expect(coerce(value, type)).toEqual(expected);
  });

  it.each([
    [column(text), integer, 'Cannot convert text to integer implicitly: add a cast'],
    [column(double), numeric, 'Cannot convert double precision to numeric implicitly: add a cast'],
    [column(timestamp), date, 'Cannot convert timestamp to date implicitly: add a cast'],
    [constant(integer, 1), boolean, 'Cannot convert integer to boolean implicitly: add a cast'],
    [constant(unknown, 'x'), integer, "'x' is not a valid integer"],
  ])('rejects %j as %s', (value, type, problem) => {
    expect(() => coerce(value, type)).toThrow(problem);
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
  ])('%s(%s) is rejected', (name, argument) => {
    expect(() => aggregateType(name, argument)).toThrow('does not exist');
  });
});

it('keeps intervals', () => {
  expect([interval, integer, ratio].map(isOutput)).toEqual([false, true, true]);
});
