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

  it('cannot be *', () => {
    expect(problemOf('t.*')).toBe('* is supported only in the select list and in COUNT(*)');
  });
});

describe('measures', () => {
  it.each([
    ['MEASURE(o.revenue)', [{ call: 'measure', distinct: false }, ['o', 'revenue'], 7]],
    ['sum(revenue)', [{ call: 'sum', distinct: false }, ['revenue'], 7]],
    ['count(distinct revenue)', [{ call: 'count', distinct: true }, ['revenue'], 7]],
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
    expect(problemOf('measure(i)')).toBe('MEASURE() requires the name of a measure');
    expect(problemOf('measure(i + 1)')).toBe('MEASURE() requires the name of a measure');
    expect(problemOf('measure(i) over ()')).toContain('measure() is not supported');
    expect(problemOf('sum(i) filter (where f)', { measure: () => revenue })).toContain(
      'A measure does not support FILTER: use WHERE, or a measure that has the filter',
    );
  });

  it('can be arguments of window functions', () => {
    expect(read('rank() over (order by measure(i))', { measure: () => revenue })).toMatchObject({
      order: [{ value: revenue }],
    });
  });
});

describe('aggregates and windows', () => {
  it.each([
    [Clause.where, 'sum(i)', 'Aggregate functions are not allowed in WHERE: use HAVING'],
    [Clause.group, 'sum(i)', 'Aggregate functions are not allowed in GROUP BY'],
    [Clause.on, 'count(*)', 'Aggregate functions are not allowed in JOIN … ON'],
    [
      Clause.having,
      'rank() over ()',
      'Window functions are not allowed in HAVING: compute them in a subquery and filter its rows',
    ],
    [
      Clause.where,
      'rank() over ()',
      'Window functions are not allowed in WHERE: compute them in a subquery and filter its rows',
    ],
    [Clause.select, 'sum(sum(i))', 'Aggregate functions cannot be nested'],
    [Clause.select, 'sum(rank() over ())', 'Window functions are not allowed in an aggregate'],
    [Clause.select, 'rank() over (order by rank() over ())', 'Window functions are not allowed in a window function'],
    [Clause.select, 'rank()', 'rank() requires an OVER clause'],
    [Clause.select, 'upper(s) over ()', 'The window function upper() is not supported'],
    [Clause.select, 'upper(distinct s)', 'upper() is not a supported aggregate function'],
    [Clause.select, 'sum(i order by j)', 'sum() does not support ORDER BY'],
    [Clause.select, 'sum(i, j)', 'sum() requires one argument'],
    [Clause.select, 'percentile_cont(0.5)', 'percentile_cont() requires WITHIN GROUP (ORDER BY …)'],
    [
      Clause.select,
      'percentile_cont(1.5) within group (order by i)',
      'percentile_cont() requires a constant from 0 to 1',
    ],
    [
      Clause.select,
      'percentile_cont(n) within group (order by i)',
      'percentile_cont() requires a constant from 0 to 1',
    ],
    [Clause.select, 'percentile_cont(0.5) within group (order by i, j)', 'WITHIN GROUP requires one ORDER BY key'],
    [Clause.select, "string_agg(s, ',')", 'The function string_agg() is not supported'],
    [Clause.select, 'sum(distinct i) over ()', 'DISTINCT, ORDER BY and WITHIN GROUP are not supported with OVER'],
    [Clause.select, 'sum(i) over (rows between current row and current row exclude ties)', 'EXCLUDE is not supported'],
    [
      Clause.select,
      'sum(i) over (order by s range 1 preceding)',
      'RANGE with an offset requires exactly one numeric ORDER BY column: use ROWS',
    ],
    [Clause.select, 'sum(i) over (rows j preceding)', 'The offset of a window frame must be a constant whole number'],
    [Clause.select, 'lag(i) filter (where f) over ()', 'lag() takes 1 to 3 arguments and does not support FILTER'],
    [Clause.select, 'ntile(j) over ()', 'ntile() requires a constant whole number, 1 or greater'],
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
      'The window cannot override the partition, order or frame of "b"',
    );
    expect(problemOf('sum(i) over (a partition by i)', { window })).toContain(
      'The window cannot override the partition, order or frame of "a"',
    );
    expect(problemOf('sum(i) over none')).toBe('Window "none" does not exist');
  });

  it('reject circular window names', () => {
    const node = nodeOf('sum(i) over (a order by i)');
    const window = (): Node => ({ WindowDef: ('FuncCall' in node && node.FuncCall.over) || {} });
    expect(problemOf('sum(i) over a', { window })).toBe('Too many windows refer to each other');
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
    expect(problemOf('(select 1)', scopeFor(SqlType.text, SqlType.text))).toContain(
      'The subquery must return exactly one column',
    );
    expect(problemOf('s in (select 1)', scopeFor(SqlType.integer))).toContain(
      'Types text and integer cannot be matched: cast one of them',
    );
    expect(problemOf('i > any (select 1)', scopeFor(SqlType.integer))).toContain('ANY is supported only after =');
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
    expect(problemOf('now(1)')).toBe('now() takes no arguments');
  });
});

describe('conditions and orders', () => {
  it('return true, false or NULL', () => {
    expect(readCondition(nodeOf('f'), scopeOf())).toMatchObject({ type: SqlType.boolean });
    expect(readCondition(nodeOf('null'), scopeOf())).toEqual({ kind: 'literal', type: SqlType.boolean, value: null });
    expect(() => readCondition(nodeOf('i'), scopeOf({ clause: Clause.where }))).toThrow(
      'The argument of WHERE must be of type boolean, not integer',
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
    [
      'i > any(array[1])',
      'ANY and ALL are supported only in = ANY (ARRAY[…]) and <> ALL (ARRAY[…]): write x IN (…) or x NOT IN (…)',
    ],
    [
      'i = all(array[1])',
      'ANY and ALL are supported only in = ANY (ARRAY[…]) and <> ALL (ARRAY[…]): write x IN (…) or x NOT IN (…)',
    ],
    [
      'i = any(array[])',
      'ANY and ALL are supported only in = ANY (ARRAY[…]) and <> ALL (ARRAY[…]): write x IN (…) or x NOT IN (…)',
    ],
    ["dt = any(array['2001-01-31'])", 'Types date and text cannot be matched: cast one of them'],
    ["s similar to 'a'", 'SIMILAR TO is not supported'],
    ['i & 1', 'The operator & is not supported'],
    ['@ i', 'The prefix operator @ is not supported'],
    ['+ s', 'The prefix operator + is not supported'],
    ['i operator(pg_catalog.+) 1', 'The operator  is not supported'],
    ['pg_catalog.upper(s)', 'Functions with a schema are not supported: remove the schema'],
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
    [
      "date_trunc('century', ts)",
      'The unit of date_trunc() must be one of decade, year, quarter, month, week, day, hour, minute, second, milliseconds, microseconds, in quotes',
    ],
    [
      'date_trunc(s, ts)',
      'The unit of date_trunc() must be one of decade, year, quarter, month, week, day, hour, minute, second, milliseconds, microseconds, in quotes',
    ],
    ["date_trunc('month', s)", 'Function date_trunc(text, text) does not exist: cast the arguments'],
    [
      "date_trunc('constructor', ts)",
      'The unit of date_trunc() must be one of decade, year, quarter, month, week, day, hour, minute, second, milliseconds, microseconds, in quotes',
    ],
    [
      'extract(timezone from ts)',
      'The unit of extract() must be one of millennium, century, decade, year, isoyear, quarter, month, week, day, doy, dow, isodow, hour, minute, second, milliseconds, microseconds, epoch',
    ],
    [
      'extract(hour from dt)',
      'The unit of extract() must be one of millennium, century, decade, year, isoyear, quarter, month, week, day, doy, dow, isodow, epoch',
    ],
    ['extract(year from i)', 'extract() requires a date or a timestamp, not integer'],
    ['round(n, j)', 'round() requires a constant number of decimal places from -16 to 16'],
    ['round(n, 17)', 'round() requires a constant number of decimal places from -16 to 16'],
    ['round(d, 2)', 'Function round(double precision, integer) does not exist: cast the double precision to numeric'],
    [
      "split_part(s, ',', 0)",
      'split_part() requires a constant delimiter that is not empty and a constant position other than 0',
    ],
    [
      "split_part(s, '', 1)",
      'split_part() requires a constant delimiter that is not empty and a constant position other than 0',
    ],
    ['replace(s, u, s)', 'replace() requires constants for the text to find and its replacement'],
    ['concat(f)', 'concat() does not support booleans: convert them to text with CASE'],
    [`concat_ws('${'-'.repeat(101)}', s, u)`, 'The separator of concat_ws() can have at most 100 characters'],
    ['(i / 2.0) % 2', '% does not support the result of a division: round it first, as in round(x, 6)'],
    ["s like '%\\'", 'A LIKE pattern must not end with the escape character'],
    ["s like 'x!!!' escape '!'", 'A LIKE pattern must not end with the escape character'],
    ["s like 'x' escape 'ab'", 'ESCAPE requires one character in quotes'],
    ["s like 'x' escape u", 'ESCAPE requires one character in quotes'],
    [
      's ~ u',
      '~ requires a constant pattern of characters, ., \\d, sets like [a-z], groups, |, *, +, ?, {2,3}, ^ at the start and $ at the end',
    ],
    [
      "s !~* '(?i)a'",
      '!~* requires a constant pattern of characters, ., \\d, sets like [a-z], groups, |, *, +, ?, {2,3}, ^ at the start and $ at the end',
    ],
  ])('is rejected: %s', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});

describe('mismatched types', () => {
  it.each([
    ['s = i', 'Types text and integer cannot be matched: cast one of them'],
    ['f = i', 'Types boolean and integer cannot be matched: cast one of them'],
    ['dt = i', 'Types date and integer cannot be matched: cast one of them'],
    ["i = 'x'", "'x' is not a valid integer"],
    ["dt > '2024-02-30'", "'2024-02-30' is not a valid date: write YYYY-MM-DD"],
    ["dt > 'yesterday'", "'yesterday' is not a valid date: write YYYY-MM-DD"],
    ['s + 1', 'Operator text + integer does not exist: cast one operand'],
    ['- s', 'Operator - text does not exist: cast one operand'],
    ['1 || 2', 'Operator integer || integer does not exist: cast one operand'],
    ["'1' + '2'", 'Operator unknown + unknown does not exist: cast one operand'],
    ["dt + '5'", 'Operator date + unknown does not exist: cast one operand'],
    ['upper(i)', 'Function upper(integer) does not exist: cast the arguments'],
    ['upper()', 'Function upper() does not exist: cast the arguments'],
    ['case when i then 1 end', 'The argument of WHEN must be of type boolean, not integer'],
    ["case when f then 1 else 'x' end", "'x' is not a valid integer"],
    ['case when f then i else s end', 'Types integer and text cannot be matched: cast one of them'],
    ['i and f', 'The argument of AND must be of type boolean, not integer'],
    ['not i', 'The argument of NOT must be of type boolean, not integer'],
    ['i is true', 'The argument of IS TRUE must be of type boolean, not integer'],
    ['sum(s)', 'Function sum(text) does not exist'],
    ['min(f)', 'Function min(boolean) does not exist'],
    ['count(*) filter (where i)', 'The argument of FILTER must be of type boolean, not integer'],
    ["sum('1')", 'Function sum(text) does not exist'],
  ])('are rejected: %s', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});

describe('limits', () => {
  it('allow 100 levels, but not more', () => {
    expect(read(`${'('.repeat(500)}i${')'.repeat(500)}`)).toMatchObject({ kind: 'column' });
    expect(read(`${'upper('.repeat(99)}s${')'.repeat(99)}`)).toMatchObject({ kind: 'call' });
    expect(problemOf(`${'upper('.repeat(100)}s${')'.repeat(100)}`)).toBe(
      'The expression exceeds the limit of 100 levels',
    );
    expect(problemOf(`i${' + i'.repeat(3000)}`)).toBe('The expression exceeds the limit of 100 levels');
  });

  it('allow long lists', () => {
    const values = Array.from({ length: 5000 }, (_, index) => index).join(', ');
    expect(read(`i in (${values})`)).toMatchObject({ name: 'in', args: { length: 5001 } });
    expect(read(`f${' and f'.repeat(5000)}`)).toMatchObject({ name: 'and' });
  });

  it('apply to the size of the tree, not of the text', () => {
    const branches = ' when 1 then 2'.repeat(40);
    const tooComplex = 'The expression is too complex: compute its repeated part in a subquery';
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
    '%s… is read three levels deep, and rejected if an engine would repeat it too often',
    (start, value, end, levels) => {
      const nested = (depth: number) => `${start.repeat(depth)}${value}${end.repeat(depth)}`;
      expect(read(nested(3))).toMatchObject({ kind: 'call' });
      expect(() => read(nested(levels))).toThrow(
        expect.objectContaining({
          constructor: SqlProblem,
          message: expect.stringContaining('The expression is nested too deeply: '),
          at: expect.any(Number),
        }),
      );
    },
  );

  it('allow repeated operands next to each other', () => {
    expect(read(`f${' or i between 1 and 2 or nullif(i / j, 0) = 1'.repeat(2000)}`)).toMatchObject({ name: 'or' });
  });

  it.each(['coalesce', 'greatest', 'least', 'concat'])('accept up to 100 arguments of %s', name => {
    const called = (count: number) => `${name}(${Array(count).fill('s').join(', ')})`;
    expect(read(called(100))).toMatchObject({ args: { length: 100 } });
    expect(problemOf(called(101))).toBe('A function can have at most 100 arguments');
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
