import { describe, expect, it } from 'vitest';
import { fileName } from '../../../src/report/format/file-name.js';
import { maxRows, readRowSet, toSnapshot } from '../../../src/report/table/host-report.js';

describe('a report from the host', () => {
  it('is a snapshot, whole or in part', () => {
    expect(toSnapshot({ kind: 'kpi', reportId: 4 })).toMatchObject({ kind: 'kpi', reportId: 4, id: 0 });
    expect(toSnapshot({ spec: { mark: 'bar' } })).toMatchObject({ kind: null, spec: { mark: 'bar' } });
  });

  it('can be only a specification, with its title if it has one', () => {
    expect(toSnapshot({ mark: 'bar', title: 'Bars' })).toMatchObject({
      kind: 'vega',
      title: 'Bars',
      spec: { mark: 'bar' },
    });
    expect(toSnapshot({ columns: {}, title: { text: 'no text' } })).toMatchObject({
      kind: 'table',
      spec: { columns: {} },
    });
  });

  it('is null for anything else', () => {
    for (const given of [null, undefined, 4, 'vega', [], {}, { constructor: 1 }]) expect(toSnapshot(given)).toBeNull();
  });
});

describe('a title as a file name', () => {
  it('contains no characters that file systems reject or that hide its extension', () => {
    expect(fileName('Flights: 50/50 "late"?', 'report')).toBe('Flights 50 50 late');
    expect(fileName('..\\..\\etc/passwd', 'report')).toBe('etc passwd');
    expect(fileName('bill\u202Efdp.exe', 'report')).toBe('bill fdp.exe');
    expect(fileName('  Über 9 000 Flüge.  ', 'report')).toBe('Über 9 000 Flüge');
    expect([...fileName('x'.repeat(500), 'report')]).toHaveLength(80);
  });

  it('uses the fallback if nothing remains', () => {
    for (const title of ['', '...', '///', 'CON', 'nul.txt']) expect(fileName(title, 'report')).toBe('report');
  });
});

const columns = [
  { member: 'day', kind: 'timeDimension' },
  { member: 'n', kind: 'measure' },
];

describe('rows from the host', () => {
  it('are used unchanged, with defaults for missing column properties', () => {
    const rows = [{ day: '2024-01-01T00:00:00.000', n: 1 }, { n: '2.50' }];
    const read = readRowSet({
      columns: [...columns, { member: 'x', annotation: { title: 'X', format: 'percent' } }],
      rows,
    });
    expect(read.rows).toBe(rows);
    expect(read).toMatchObject({ truncated: false, lastRefreshTime: null });
    expect(read.columns).toEqual([
      { member: 'day', kind: 'timeDimension', annotation: { title: 'day', shortTitle: 'day', type: 'time' } },
      { member: 'n', kind: 'measure', annotation: { title: 'n', shortTitle: 'n', type: 'number' } },
      {
        member: 'x',
        kind: 'dimension',
        annotation: { title: 'X', shortTitle: 'X', type: 'string', format: 'percent' },
      },
    ]);
    const numbers = readRowSet({ columns: [{ member: 'n', annotation: { type: 'number' } }], rows: [] });
    expect(numbers.columns[0]?.kind).toBe('measure');
  });

  it('can be up to a million', () => {
    const rows = new Array<object>(maxRows).fill({ n: 1 });
    expect(readRowSet({ columns, rows }).rows).toBe(rows);
    expect(() => readRowSet({ columns, rows: [...rows, {}] })).toThrow('rows.rows must have at most 1,000,000 rows.');
  });

  it.each([
    [null, 'rows must be an object with columns and rows.'],
    [[], 'rows must be an object with columns and rows.'],
    ['rows', 'rows must be an object with columns and rows.'],
    [{ rows: [] }, 'rows.columns must be an array of columns.'],
    [{ columns: [null], rows: [] }, 'rows.columns[0].member must be the key of the column in the rows.'],
    [{ columns: [{ member: 7 }], rows: [] }, 'rows.columns[0].member'],
    [{ columns: [...columns, ...columns], rows: [] }, 'rows.columns contains day more than once.'],
    [
      { columns: Array.from({ length: 1001 }, (_, n) => ({ member: `${n}` })), rows: [] },
      'rows.columns must have at most 1000 columns.',
    ],
    [{ columns }, 'rows.rows must be an array of objects.'],
    [{ columns, rows: [{}, 'secret'] }, 'rows.rows[1] must be an object.'],
    [
      { columns, rows: [{ day: new Date(0) }] },
      'rows.rows[0], column day: must be a string, a number, a boolean or null',
    ],
    [{ columns, rows: [{ n: { secret: 1 } }] }, 'rows.rows[0], column n'],
    [{ columns, rows: [{ n: 10n }] }, 'rows.rows[0], column n'],
  ])('with an invalid shape are rejected with a message: case %#', (value, message) => {
    expect(() => readRowSet(value)).toThrow(message);
    expect(() => readRowSet(value)).not.toThrow('secret');
  });

  it('can have hostile names', () => {
    const rows = [JSON.parse('{"__proto__": "a", "constructor": "b"}')];
    const read = readRowSet({
      columns: [{ member: '__proto__' }, { member: 'constructor' }, { member: 'toString' }],
      rows,
    });
    expect(read.rows).toBe(rows);
  });
});
