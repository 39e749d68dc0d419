import type { Node, SelectStmt } from 'libpg-query';
import { describe, expect, it } from 'vitest';
import { readCondition, readSortKey } from '../../../../../src/platform/data/sql/expression/read-expression.js';
import { Clause } from '../../../../../src/platform/data/sql/scope.js';
import { SqlProblem } from '../../../../../src/platform/data/sql/sql-problem.js';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import type { Expression, SelectStatement } from '../../../../../src/platform/data/sql/tree.js';
import { nodeOf, problemOf, read, scopeOf } from './reading.js';

const revenue: Expression = { kind: 'measure', type: SqlType.numeric, path: 'orders.revenue' };

describe('names', () => {
  it('are resolved with all parts and their location', () => {
    const lookups: unknown[] = [];
    read('1 + orders.status', {
      column: (names, at) => {
        lookups.push([names, at]);
        return { kind: 'member', type: SqlType.integer, path: names.join('.') };
      },
    });
    expect(lookups).toEqual([[['orders', 'status'], 11]]);
  });

  it('can not be *', () => {
    expect(problemOf('t.*')).toBe('* can stand alone in the select list, or in COUNT(*)');
  });
});

describe('measures', () => {
  it.each([
    ['MEASURE(o.revenue)', ['measure', false, ['o', 'revenue'], 7]],
    ['sum(revenue)', ['sum', false, ['revenue'], 7]],
    ['count(distinct revenue)', ['count', true, ['revenue'], 7]],
  ])('%s uses a measure', (text, expected) => {
    const given: unknown[] = [];
    const value = read(text, {
      measure: (...args) => {
        given.push(args);
        return revenue;
      },
    });
    expect(value).toBe(revenue);
    expect(given).toEqual([expected]);
  });

  it('are counted by COUNT(*)', () => {
    expect(read('count(*)', { countRows: () => revenue })).toBe(revenue);
    expect(read('count(*) filter (where f)', { countRows: () => revenue })).toMatchObject({ kind: 'aggregate' });
  });

  it('are not used by aggregates over an expression', () => {
    const measure = () => revenue;
    expect(read('sum(i + 1)', { measure })).toMatchObject({ kind: 'aggregate', name: 'sum' });
    expect(read('stddev(i)', { measure })).toMatchObject({ kind: 'aggregate', name: 'stddev_samp' });
    expect(read('sum(i) over ()', { measure })).toMatchObject({ kind: 'window', name: 'sum' });
  });

  it('are rejected for other columns and with FILTER', () => {
    expect(problemOf('measure(i)')).toBe('MEASURE takes the name of a measure');
    expect(problemOf('measure(i + 1)')).toBe('MEASURE takes the name of a measure');
    expect(problemOf('measure(i) over ()')).toContain('measure() is not supported');
    expect(problemOf('sum(i) filter (where f)', { measure: () => revenue })).toContain("A measure can't be filtered");
  });

  it('can be arguments of window functions', () => {
    expect(read('rank() over (order by measure(i))', { measure: () => revenue })).toMatchObject({
      order: [{ value: revenue }],
    });
  });
});

describe('aggregates and windows', () => {
  it.each([
    [Clause.where, 'sum(i)', "WHERE can't hold an aggregate: use HAVING"],
    [Clause.group, 'sum(i)', "GROUP BY can't hold an aggregate"],
    [Clause.on, 'count(*)', "JOIN … ON can't hold an aggregate"],
    [Clause.having, 'rank() over ()', "HAVING can't hold a window function"],
    [Clause.where, 'rank() over ()', "WHERE can't hold a window function"],
    [Clause.select, 'sum(sum(i))', "An aggregate can't hold another one"],
    [Clause.select, 'sum(rank() over ())', "A window function can't stand in an aggregate"],
    [Clause.select, 'rank() over (order by rank() over ())', "A window function can't stand in a window function"],
    [Clause.select, 'rank()', 'rank() takes an OVER clause'],
    [Clause.select, 'upper(s) over ()', 'The window function upper() is not supported'],
    [Clause.select, 'upper(distinct s)', 'upper() is no aggregate that is supported'],
    [Clause.select, 'sum(i order by j)', 'sum() takes no ORDER BY'],
    [Clause.select, 'sum(i, j)', 'sum() takes one value'],
    [Clause.select, 'percentile_cont(0.5)', 'percentile_cont() takes WITHIN GROUP (ORDER BY …)'],
    [Clause.select, 'percentile_cont(1.5) within group (order by i)', 'percentile_cont() takes a number from 0 to 1'],
    [Clause.select, 'percentile_cont(n) within group (order by i)', 'percentile_cont() takes a number from 0 to 1'],
    [Clause.select, 'percentile_cont(0.5) within group (order by i, j)', 'WITHIN GROUP takes one ORDER BY'],
    [Clause.select, "string_agg(s, ',')", 'The function string_agg() is not supported'],
    [Clause.select, 'sum(distinct i) over ()', 'DISTINCT, ORDER BY and WITHIN GROUP are not supported with OVER'],
    [Clause.select, 'sum(i) over (rows between current row and current row exclude ties)', 'EXCLUDE is not supported'],
    [
      Clause.select,
      'sum(i) over (order by s range 1 preceding)',
      'RANGE with an offset takes one ORDER BY of a number',
    ],
    [Clause.select, 'sum(i) over (rows j preceding)', 'The offset of a frame is a whole number'],
    [Clause.select, 'lag(i) filter (where f) over ()', 'lag() takes 1 to 3 values and no FILTER'],
    [Clause.select, 'ntile(j) over ()', 'ntile() takes a number from 1 on that is written out'],
  ])('in %s: %s', (clause, text, problem) => {
    expect(problemOf(text, { clause })).toContain(problem);
  });

  it('support named windows that extend each other', () => {
    const windows: Readonly<Record<string, string>> = { a: '(partition by f)', b: '(a order by j desc)' };
    const window = (name: string): Node => {
      const node = nodeOf(`sum(i) over ${windows[name] ?? '()'}`);
      return { WindowDef: ('FuncCall' in node && node.FuncCall.over) || {} };
    };
    const partition = [{ kind: 'column', column: 10 }];
    const order = [{ desc: true, nullsFirst: true }];
    expect(read('sum(i) over b', { window })).toMatchObject({ partition, order });
    expect(read('sum(i) over (b rows 1 preceding)', { window })).toMatchObject({
      partition,
      order,
      frame: { mode: 'rows' },
    });
    expect(problemOf('sum(i) over (b order by i)', { window })).toContain(
      "can't change the partition, order or frame of b",
    );
    expect(problemOf('sum(i) over (a partition by i)', { window })).toContain("can't change the partition");
    expect(problemOf('sum(i) over none')).toBe('There is no window none');
  });

  it('reject circular window names', () => {
    const node = nodeOf('sum(i) over (a order by i)');
    const window = (): Node => ({ WindowDef: ('FuncCall' in node && node.FuncCall.over) || {} });
    expect(problemOf('sum(i) over a', { window })).toBe('Too many windows are named after one another');
  });
});

describe('selects in parentheses', () => {
  const statementOf = (...types: SqlType[]) =>
    ({
      with: [],
      body: { kind: 'select', from: null, columns: [], where: null },
      order: [],
      columns: types.map(type => ({ name: 'x', type })),
    }) as unknown as SelectStatement;
  const scopeFor = (...types: SqlType[]) => ({ statement: (_: SelectStmt) => statementOf(...types) });

  it('have the type of their column', () => {
    expect(read('(select 1)', scopeFor(SqlType.numeric))).toMatchObject({ form: 'scalar', type: SqlType.numeric });
    expect(read('exists (select 1, 2)', scopeFor(SqlType.text, SqlType.text))).toMatchObject({ form: 'exists' });
  });

  it('are compared after an implicit cast', () => {
    const expected = { form: 'in', type: SqlType.boolean, operand: { kind: 'literal', type: SqlType.date } };
    expect(read("'2024-01-01' in (select 1)", scopeFor(SqlType.date))).toMatchObject(expected);
    expect(read("'2024-01-01' = any (select 1)", scopeFor(SqlType.date))).toMatchObject(expected);
    expect(read('i not in (select 1)', scopeFor(SqlType.integer))).toMatchObject({ name: 'not' });
  });

  it('are rejected with several columns, other types or other operators', () => {
    expect(problemOf('(select 1)', scopeFor(SqlType.text, SqlType.text))).toContain('has to have one column');
    expect(problemOf('s in (select 1)', scopeFor(SqlType.integer))).toContain("text and integer can't stand together");
    expect(problemOf('i > any (select 1)', scopeFor(SqlType.integer))).toContain('ANY is supported after = only');
    expect(problemOf('i > all (select 1)', scopeFor(SqlType.integer))).toContain('after IN or after EXISTS');
    expect(problemOf('array(select 1)', scopeFor(SqlType.integer))).toContain('after IN or after EXISTS');
  });
});

describe('the current time', () => {
  it.each(['now()', 'localtimestamp', 'current_timestamp', 'transaction_timestamp()'])(
    '%s is that of the scope',
    text => {
      expect(read(text)).toEqual({ kind: 'literal', type: SqlType.timestamp, value: '2024-02-29T13:14:15.678' });
    },
  );

  it('can be a date', () => {
    expect(read('current_date')).toEqual({ kind: 'literal', type: SqlType.date, value: '2024-02-29' });
    expect(problemOf('current_time')).toContain('current_time is not supported');
    expect(problemOf('current_user')).toContain('current_user is not supported');
    expect(problemOf('now(1)')).toBe('now() takes no argument');
  });
});

describe('conditions and orders', () => {
  it('return true, false or NULL', () => {
    expect(readCondition(nodeOf('f'), scopeOf())).toMatchObject({ type: SqlType.boolean });
    expect(readCondition(nodeOf('null'), scopeOf())).toEqual({ kind: 'literal', type: SqlType.boolean, value: null });
    expect(() => readCondition(nodeOf('i'), scopeOf({ clause: Clause.where }))).toThrow(
      'WHERE takes a condition, not a value of type integer',
    );
  });

  it.each([
    ['x', false, false],
    ['x desc', true, true],
    ['x desc nulls last', true, false],
    ['x nulls first', false, true],
  ])('on %s sort NULLs like Postgres', (text, desc, nullsFirst) => {
    const value = read('i');
    const key = sortBy(text.replace('x', 'i'));
    expect(readSortKey(key, scopeOf())).toEqual({ value, desc, nullsFirst });
    expect(readSortKey(key, scopeOf(), () => revenue)).toMatchObject({ value: revenue });
  });

  it('do not support USING', () => {
    expect(() => readSortKey(sortBy('i using <'), scopeOf())).toThrow('ORDER BY … USING is not supported');
  });

  function sortBy(text: string) {
    const node = nodeOf(`sum(i) over (order by ${text})`);
    const [key] = ('FuncCall' in node && node.FuncCall.over?.orderClause) || [];
    if (!key || !('SortBy' in key)) throw new Error('no key');
    return key.SortBy;
  }
});

describe('an unsupported expression', () => {
  it.each([
    ['$1', 'Parameters like $1 are not supported'],
    ['(1, 2) = (1, 2)', 'A row in parentheses is not supported'],
    ['row(1)', 'A row in parentheses is not supported'],
    ['array[1]', 'ARRAY is not supported'],
    ['s[1]', 'A subscript or a field of a value is not supported'],
    ['(s).x', 'A subscript or a field of a value is not supported'],
    ['s collate "C"', 'COLLATE is not supported'],
    ['xmlelement(name a)', 'XML is not supported'],
    ["json_object('a': 1)", 'This kind of expression is not supported'],
    ['i is json', 'This kind of expression is not supported'],
    ['grouping(i)', 'GROUPING is not supported'],
    ['upper(x => s)', 'A named argument is not supported'],
    ['concat(variadic s)', 'VARIADIC is not supported'],
    ["b'101'", 'Bit strings are not supported'],
    ['i > any(array[1])', 'ANY and ALL take ARRAY[…] after = ANY and <> ALL'],
    ['i = all(array[1])', 'ANY and ALL take ARRAY[…] after = ANY and <> ALL'],
    ['i = any(array[])', 'ANY and ALL take ARRAY[…] after = ANY and <> ALL'],
    ["dt = any(array['2001-01-31'])", "can't stand together"],
    ["s similar to 'a'", 'SIMILAR TO is not supported'],
    ['i & 1', 'The operator & is not supported'],
    ['@ i', 'The operator @ is not supported before a value'],
    ['+ s', 'The operator + is not supported before a value'],
    ['i operator(pg_catalog.+) 1', 'The operator  is not supported'],
    ['pg_catalog.upper(s)', 'Functions are called without a schema'],
    ["read_text('/etc/passwd')", 'The function read_text() is not supported'],
    ["query('select 1')", 'The function query() is not supported'],
    ['pg_sleep(1)', 'The function pg_sleep() is not supported'],
    ['version()', 'The function version() is not supported'],
    ['random()', 'The function random() is not supported'],
    ["repeat('x', 1000000000)", 'The function repeat() is not supported'],
    ["lpad('x', 1000000000)", 'The function lpad() is not supported'],
    ['generate_series(1, 9)', 'The function generate_series() is not supported'],
    ['range(9)', 'The function range() is not supported'],
    ["to_char(ts, 'YYYY')", 'The function to_char() is not supported'],
    ["format('%s', s)", 'The function format() is not supported'],
    ["error('x')", 'The function error() is not supported'],
    ['typeof(i)', 'The function typeof() is not supported'],
    ['"constructor"(i)', 'The function constructor() is not supported'],
    ['"__proto__"(i)', 'The function __proto__() is not supported'],
    ['"+"(i, i)', 'The function "+"() is not supported'],
    ['"like"(s, s, s)', 'The function like() is not supported'],
    ['"negate"(i)', 'The function negate() is not supported'],
    ['"and"(f, f)', 'The function and() is not supported'],
    ["ts at time zone 'utc'", 'AT TIME ZONE is not supported'],
    ["date_trunc('century', ts)", 'date_trunc() takes one of decade, year'],
    ['date_trunc(s, ts)', 'date_trunc() takes one of decade, year'],
    ["date_trunc('month', s)", 'There is no date_trunc(text, text)'],
    ["date_trunc('constructor', ts)", 'date_trunc() takes one of'],
    ['extract(timezone from ts)', 'extract() takes one of'],
    ['extract(hour from dt)', 'extract() takes one of'],
    ['extract(year from i)', 'extract() takes a date or a timestamp, not integer'],
    ['round(n, j)', 'round() takes a number of places from -16 to 16 that is written out'],
    ['round(n, 17)', 'round() takes a number of places'],
    ['round(d, 2)', 'There is no round(double precision, integer): cast the double precision to numeric'],
    ["split_part(s, ',', 0)", 'split_part() takes a delimiter and a place'],
    ["split_part(s, '', 1)", 'split_part() takes a delimiter and a place'],
    ['replace(s, u, s)', 'replace() takes texts that are written out'],
    ['concat(f)', 'concat() takes no boolean'],
    [`concat_ws('${'-'.repeat(101)}', s, u)`, 'concat_ws() takes a separator of 100 characters at most'],
    ['(i / 2.0) % 2', '% takes no quotient: round it first'],
    ["s like '%\\'", 'A pattern of LIKE must not end with the escape character'],
    ["s like 'x!!!' escape '!'", 'A pattern of LIKE must not end with the escape character'],
    ["s like 'x' escape 'ab'", 'ESCAPE is followed by one character in quotes'],
    ["s like 'x' escape u", 'ESCAPE is followed by one character in quotes'],
    ['s ~ u', '~ takes a plain pattern in quotes'],
    ["s !~* '(?i)a'", '!~* takes a plain pattern in quotes'],
  ])('is rejected: %s', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});

describe('mismatched types', () => {
  it.each([
    ['s = i', "text and integer can't stand together: cast one of them"],
    ['f = i', "boolean and integer can't stand together: cast one of them"],
    ['dt = i', "date and integer can't stand together: cast one of them"],
    ["i = 'x'", "'x' can't be read as integer"],
    ["dt > '2024-02-30'", "'2024-02-30' can't be read as date: write YYYY-MM-DD"],
    ["dt > 'yesterday'", "'yesterday' can't be read as date"],
    ['s + 1', 'The operator does not exist: text + integer; cast one side'],
    ['- s', 'The operator does not exist: - text; cast one side'],
    ['1 || 2', 'The operator does not exist: integer || integer; cast one side'],
    ["'1' + '2'", 'The operator does not exist: unknown + unknown; cast one side'],
    ["dt + '5'", 'The operator does not exist: date + unknown; cast one side'],
    ['upper(i)', 'There is no upper(integer): cast what is of another type'],
    ['upper()', 'There is no upper()'],
    ['case when i then 1 end', 'WHEN takes a condition, not a value of type integer'],
    ["case when f then 1 else 'x' end", "'x' can't be read as integer"],
    ['case when f then i else s end', "integer and text can't stand together"],
    ['i and f', 'AND takes a condition, not a value of type integer'],
    ['not i', 'NOT takes a condition, not a value of type integer'],
    ['i is true', 'IS TRUE takes a condition, not a value of type integer'],
    ['sum(s)', 'There is no sum(text)'],
    ['min(f)', 'There is no min(boolean)'],
    ['count(*) filter (where i)', 'FILTER takes a condition, not a value of type integer'],
    ["sum('1')", 'There is no sum(text)'],
  ])('are rejected: %s', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});

describe('limits', () => {
  it('allow 100 levels, but not more', () => {
    expect(read(`${'('.repeat(500)}i${')'.repeat(500)}`)).toMatchObject({ kind: 'column' });
    expect(read(`${'upper('.repeat(99)}s${')'.repeat(99)}`)).toMatchObject({ kind: 'call' });
    expect(problemOf(`${'upper('.repeat(100)}s${')'.repeat(100)}`)).toBe(
      'An expression may be 100 levels deep at most',
    );
    expect(problemOf(`i${' + i'.repeat(3000)}`)).toBe('An expression may be 100 levels deep at most');
  });

  it('allow long lists', () => {
    const values = Array.from({ length: 5000 }, (_, index) => index).join(', ');
    expect(read(`i in (${values})`)).toMatchObject({ name: 'in', args: { length: 5001 } });
    expect(read(`f${' and f'.repeat(5000)}`)).toMatchObject({ name: 'and' });
  });

  it('apply to the size of the tree, not of the text', () => {
    const branches = ' when 1 then 2'.repeat(40);
    const tooComplex = 'The statement is too complex here';
    expect(read(`case i${' when 1 then 2'.repeat(4000)} end`)).toMatchObject({ branches: { length: 4000 } });
    expect(read(`case i + 1 + 2${branches} end`)).toMatchObject({ branches: { length: 40 } });
    expect(problemOf(`${'case '.repeat(20)}i${' when 1 then 2 when 2 then 3 end'.repeat(20)}`)).toContain(tooComplex);
    expect(problemOf(`case coalesce(i${', 1'.repeat(50)})${branches} end`)).toContain(tooComplex);
    expect(problemOf(`${'('.repeat(20)}f${' between symmetric g and f)'.repeat(20)}`)).toContain(tooComplex);
    const node = nodeOf(`sum(i) over (order by coalesce(i${', 1'.repeat(60)}))`);
    const window = (): Node => ({ WindowDef: ('FuncCall' in node && node.FuncCall.over) || {} });
    expect(problemOf('sum(i) over w', { window })).toContain(tooComplex);
    expect(read(`sum(i) over (order by coalesce(i${', 1'.repeat(60)}))`)).toMatchObject({ kind: 'window' });
  });

  it.each([
    ['nullif(1.1 + ', 'n', ', 0)', 24],
    ['nullif(upper(', 's', "), '')", 24],
    ['((', 'f', ') between false and true)', 24],
    ['round(', 'd', ')', 12],
    ['split_part(', 's', ", ',', 1)", 24],
    ['nullif(coalesce(n + 1, ', 'n', '), 0)', 12],
    ['(1 / ', 'i', ')', 24],
  ])(
    '%s… is read three levels deep, and refused where an engine would repeat it beyond bounds',
    (start, value, end, levels) => {
      const nested = (depth: number) => `${start.repeat(depth)}${value}${end.repeat(depth)}`;
      expect(read(nested(3))).toMatchObject({ kind: 'call' });
      expect(() => read(nested(levels))).toThrow(
        expect.objectContaining({
          constructor: SqlProblem,
          message: expect.stringContaining('This is nested too deeply: '),
          at: expect.any(Number),
        }),
      );
    },
  );

  it('allow repeated operands next to each other', () => {
    expect(read(`f${' or i between 1 and 2 or nullif(i / j, 0) = 1'.repeat(2000)}`)).toMatchObject({ name: 'or' });
  });

  it.each(['coalesce', 'greatest', 'least', 'concat'])('allow %s 100 arguments', name => {
    const called = (count: number) => `${name}(${Array(count).fill('s').join(', ')})`;
    expect(read(called(100))).toMatchObject({ args: { length: 100 } });
    expect(problemOf(called(101))).toBe('A function takes 100 arguments at most');
  });

  it('report the location of a problem', () => {
    const problem = (() => {
      try {
        read('i + nothing');
      } catch (error) {
        return error;
      }
    })();
    expect(problem).toBeInstanceOf(SqlProblem);
    expect(problem).toMatchObject({ at: 11 });
  });
});
