import { describe, expect, it } from 'vitest';
import { readSource, refusal } from './one-source.js';

/** Number of rows that exceeds the sample of type detection. */
const many = Array.from({ length: 30_000 }, (_, row) => `${row},${row}`).join('\n');

describe('a CSV file', () => {
  it('reads column names and types, quotes, line breaks in quotes and missing values', async () => {
    const { types, rows } = await readSource(
      't.csv',
      [
        'id,"full name",at,zoned,day,paid,amount,gap',
        '1,"Ann ""A"", \nRome",2001-02-03 04:05:06,2001-02-03T04:05:06+02:00,2001-02-03,true,1.50,',
        '2,,2001-02-03T04:05,2001-02-03T04:05:06.789Z,2001-02-04,FALSE,-2,',
        '',
      ].join('\r\n'),
    );
    expect(types).toEqual([
      'id BIGINT',
      'full name VARCHAR',
      'at TIMESTAMP',
      'zoned TIMESTAMP',
      'day DATE',
      'paid BOOLEAN',
      'amount DOUBLE',
      'gap VARCHAR',
    ]);
    expect(rows).toEqual([
      [
        '1',
        'Ann "A", \nRome',
        '2001-02-03T04:05:06.000',
        '2001-02-03T02:05:06.000',
        '2001-02-03T00:00:00.000',
        true,
        '1.5',
        null,
      ],
      ['2', null, '2001-02-03T04:05:00.000', '2001-02-03T04:05:06.789', '2001-02-04T00:00:00.000', false, '-2', null],
    ]);
  });

  it.each([
    ['a number with a leading zero', '01234\n98765', 'VARCHAR'],
    ['a number with too many digits', '12345678901234567890\n1', 'VARCHAR'],
    ['an ambiguous date', '01/02/2001', 'VARCHAR'],
    ['a day that does not exist', '2001-02-30', 'VARCHAR'],
    ['an hour that does not exist', '2001-02-03 25:00:00', 'VARCHAR'],
    ['a word that is NULL in other formats', '1\nNULL', 'VARCHAR'],
    ['a word that the engine parses as a date', 'infinity', 'VARCHAR'],
    ['a number that is too large', '1e999', 'VARCHAR'],
    ['dates mixed with timestamps', '2001-02-03\n2001-02-03 04:05:06', 'TIMESTAMP'],
    ['whole numbers mixed with other numbers', '1\n-2.5\n3e4\n.5', 'DOUBLE'],
    ['booleans mixed with numbers', 'true\n1', 'VARCHAR'],
  ])('infers the type of %s', async (_, values, type) => {
    const { types } = await readSource('t.csv', `v\n${values}\n`);
    expect(types).toEqual([`v ${type}`]);
  });

  it('infers types from all rows', async () => {
    const { types, rows } = await readSource('t.csv', `a,b\n${many}\nx,1.5\n`, 'a, b');
    expect(types).toEqual(['a VARCHAR', 'b DOUBLE']);
    expect(rows.at(-1)).toEqual(['x', '1.5']);
    expect(rows).toHaveLength(30_001);
  });

  it.each([
    ['t.csv', 'a;b\n1;1,5\n'],
    ['t.csv', 'a|b\n1|1,5\n'],
    ['t.csv', 'a\tb\n1\t1,5\n'],
    ['t.tsv', 'a\tb\n1\t1,5\n'],
    ['t.CSV', '\ufeffa;"b"\n1;"1,5"'],
  ])('detects the separator of %s %j', async (name, content) => {
    const { types, rows } = await readSource(name, content);
    expect(types).toEqual(['a BIGINT', 'b VARCHAR']);
    expect(rows).toEqual([['1', '1,5']]);
  });

  it('reads quotes and comment-like text in names, and names unnamed columns by position', async () => {
    const { types, rows } = await readSource('t.csv', ',it"s,"c, ""d"" "\n#1,2,3\n');
    expect(types).toEqual(['column1 VARCHAR', 'it"s BIGINT', 'c, "d" BIGINT']);
    expect(rows).toEqual([['#1', '2', '3']]);
  });

  it.each([
    ['\n', '\r'],
    ['\r\n', '\n'],
    ['\r', '\r\n'],
  ])('reads all rows that end with %j if a column name contains %j', async (end, part) => {
    const { types, rows } = await readSource('t.csv', [`a,"b${part}c"`, '1,2', '3,"4"', ''].join(end));
    expect(types).toEqual(['a BIGINT', `b${part}c BIGINT`]);
    expect(rows).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('is an empty table if it contains only names', async () => {
    const { types, rows } = await readSource('t.csv', 'a,b\n');
    expect(types).toEqual(['a VARCHAR', 'b VARCHAR']);
    expect(rows).toEqual([]);
  });

  it.each([
    ['', /t\.csv has an empty first line: it must contain the column names/],
    ['\n1,2\n', /has an empty first line/],
    [`a,b\n${many}\n1,secret,3\n`, /t\.csv has 2 columns, but 3 values in line 30002/],
    ['a,b\n1,2\n3\n', /has 2 columns, but 1 values in line 3/],
    ['a,b\n1,"secret\n3,4\n', /opens a double quote in line 2 that is never closed/],
    ['a,A\n1,2\n', /has two columns with the same name \(the second is column 2\)/],
    ['a,b\r\n1,secret\n2,b\r\n', /use the same line ending in all lines/],
    ['a,b\r1,secret\n', /use the same line ending in all lines/],
    ['a\nsecret\r2\r', /use the same line ending in all lines/],
    ['a,b\n1\nsecret\n', /has 2 columns, but 1 values in line 2/],
    [`a,b\n1,${'x'.repeat(3_000_000)}\n`, /has more than 2 MB in line 2/],
    [`a\n${'b'.repeat(300_000)}\nc`.replace('\n', ''), /has a first line that is too long/],
    [Array.from({ length: 2001 }, (_, index) => `c${index}`).join(','), /has more than 2000 columns/],
    [Buffer.from('a,b\n1,caf\xe9\n', 'latin1'), /is not UTF-8 text: save it as UTF-8/],
    [Buffer.concat([Buffer.from(`a,b\n${many}\n`), Buffer.from('1,caf\xe9\n', 'latin1')]), /is not UTF-8/],
    [Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), /is not UTF-8 text/],
    [Buffer.from('a,b\n1,\0\n'), /is not UTF-8 text/],
  ])('is rejected with a message that quotes none of it (%#)', async (content, message) => {
    const problem = await refusal('t.csv', content);
    expect(problem).toMatch(message);
    expect(problem).not.toContain('secret');
    expect(problem.length).toBeLessThan(200);
  });
});
