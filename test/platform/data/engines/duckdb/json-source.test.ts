import { describe, expect, it } from 'vitest';
import { readSource, refusal } from './one-source.js';

/** Number of rows that exceeds the sample of type detection. */
const many = Array.from({ length: 30_000 }, (_, row) => JSON.stringify({ a: row, b: row })).join('\n');

const rows = [
  { id: 1, name: 'Ann', zip: '01234', day: '2001-02-03', at: '2001-02-03T04:05:06+02:00', paid: true, amount: 1.5 },
  { id: -2, name: null, zip: '99', day: '2001-02-04', at: '2001-02-03T04:05:06.789Z', amount: 2, late: 'x' },
];

describe('a JSON file', () => {
  it.each([
    ['t.json', JSON.stringify(rows)],
    ['t.json', `\ufeff\n${JSON.stringify(rows, null, 2)}`],
    ['t.json', rows.map(row => JSON.stringify(row, null, 2)).join('\n')],
    ['t.ndjson', rows.map(row => JSON.stringify(row)).join('\n')],
    ['t.jsonl', rows.map(row => `${JSON.stringify(row)}\r\n`).join('\r\n')],
  ])('reads keys as columns with types: %s %#', async (name, content) => {
    const read = await readSource(name, content);
    expect(read.types).toEqual([
      'id BIGINT',
      'name VARCHAR',
      'zip VARCHAR',
      'day DATE',
      'at TIMESTAMP',
      'paid BOOLEAN',
      'amount DOUBLE',
      'late VARCHAR',
    ]);
    expect(read.rows).toEqual([
      ['1', 'Ann', '01234', '2001-02-03T00:00:00.000', '2001-02-03T02:05:06.000', true, '1.5', null],
      ['-2', null, '99', '2001-02-04T00:00:00.000', '2001-02-03T04:05:06.789', null, '2', 'x'],
    ]);
  });

  it('reads unusual keys unchanged', async () => {
    const { types } = await readSource(
      't.ndjson',
      `{"a_1": 1, "c2": 2, "it's \\"q\\" [x]": "2001-02-03", "b.c": "z"}\n`,
    );
    expect(types).toEqual(['a_1 BIGINT', 'c2 BIGINT', `it's "q" [x] DATE`, 'b.c VARCHAR']);
  });

  it('keeps nested values for SQL of a model', async () => {
    const content = '[{"address": {"city": "Rome", "at": "x"}, "tags": ["a", "b"]}, {"address": {"city": "Oslo"}}]';
    const read = await readSource('t.json', content, 'address.city, tags[1]');
    expect(read.types).toEqual(['address STRUCT(city VARCHAR, "at" VARCHAR)', 'tags VARCHAR[]']);
    expect(read.rows).toEqual([
      ['Rome', 'a'],
      ['Oslo', null],
    ]);
  });

  it('infers types from all rows, and reads mixed types as text', async () => {
    const read = await readSource('t.ndjson', `${many}\n{"a": "x", "b": 1.5, "c": [1]}\n`);
    expect(read.types).toEqual(['a VARCHAR', 'b DOUBLE', 'c BIGINT[]']);
    expect(read.rows.at(0)).toEqual(['0', '0', null]);
    expect(read.rows.at(-1)).toEqual(['x', '1.5', '[1]']);
  });

  it.each([
    ['"2001-02-03"', '"n/a"', 'VARCHAR'],
    ['"01/02/2001"', '"02/02/2001"', 'VARCHAR'],
    ['"6a5b0b6e-1111-4111-8111-111111111111"', 'null', 'VARCHAR'],
    ['"04:05:06"', 'null', 'VARCHAR'],
    ['"12"', '"13"', 'VARCHAR'],
    ['-1', '12345678901234567', 'BIGINT'],
    ['null', 'null', 'VARCHAR'],
    ['{"b": 1}', '"x"', 'VARCHAR'],
  ])('reads %s and %s as %s', async (first, second, type) => {
    const read = await readSource('t.ndjson', `{"a": ${first}}\n{"a": ${second}}\n`);
    expect(read.types).toEqual([`a ${type}`]);
    expect(read.rows).toHaveLength(2);
  });

  it.each([
    ['t.json', '', /t\.json has no rows: write an array of objects/],
    ['t.json', '[]', /has no rows/],
    ['t.json', '[1, 2]', /has no rows/],
    ['t.ndjson', '[{"a": 1}]', /has no rows/],
    ['t.ndjson', `${many}\n{"a": "secret"\n`, /has invalid JSON in line 30001: write one object per line/],
    ['t.json', '[{"a": 1}, {"a": "secret" "b"}]', /has invalid JSON in object 2/],
    ['t.json', '[{"a": "secret"}', /has invalid JSON/],
    ['t.ndjson', '{"a": 1}\n{"a": "secret", "a": 2}\n', /has a duplicate key in line 2/],
    ['t.ndjson', '{"secret": 1, "Secret": 2}\n', /has keys that are empty or differ only in case: rename them/],
    ['t.ndjson', '{"a": 1, "": 2}\n', /has keys that are empty/],
    ['t.json', '[{"a": {"secret": 1, "Secret": 2}}]', /has objects with keys that differ only in case/],
    ['t.ndjson', '\ufeff{"a": 1}\n', /starts with a byte order mark/],
    ['t.json', Buffer.from('[{"a": "caf\xe9"}]', 'latin1'), /is not UTF-8 text/],
  ])('is rejected with a message that quotes none of it: %s %#', async (name, content, message) => {
    const problem = await refusal(name, content);
    expect(problem).toMatch(message);
    expect(problem).not.toContain('secret');
    expect(problem.length).toBeLessThan(200);
  });
});
