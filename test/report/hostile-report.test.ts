import { describe, expect, it } from 'vitest';
import type { ReportSnapshot } from '../../src/contract/dashboards.js';
import type { Cell, Row } from '../../src/contract/data.js';
import { createFormatter } from '../../src/report/format/format.js';
import { comparisonsOf, withComparison } from '../../src/report/query/comparison.js';
import { fillingOf, fillMissing } from '../../src/report/query/fill-missing.js';
import { totalGroups } from '../../src/report/query/totals.js';
import { tableToCsv } from '../../src/report/table/csv.js';
import { reportTable } from '../../src/report/table/report-table.js';
import { sortTable } from '../../src/report/table/table-sort.js';
import fc from '../property.js';
import { columnOf, rowSetOf } from './fixtures.js';

const names = ['o.state', 'o.at.month', 'o.count', '__proto__', 'constructor', 'o.at', ''];
const name = fc.oneof(fc.constantFrom(...names), fc.jsonValue());
const list = fc.oneof(fc.array(name, { maxLength: 4 }), fc.jsonValue());
const flag = fc.oneof(fc.boolean(), fc.jsonValue());
const pivotItems = fc.record(
  {
    rows: list,
    columns: list,
    measures: list,
    showRowTotals: flag,
    showColumnTotals: flag,
    measuresAxis: fc.constantFrom('rows', 'columns', 7),
    displayScale: name,
  },
  { requiredKeys: [] },
);
const spec = fc.oneof(
  fc.record(
    {
      pivotItems: fc.oneof(pivotItems, fc.jsonValue()),
      columns: fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
      order: list,
      showTotals: flag,
    },
    { requiredKeys: [] },
  ),
  fc.json(),
  fc.jsonValue(),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, '2024-02-01T00:00:00.000', '1e400', '99999999999999999999'),
);
const row: fc.Arbitrary<Row> = fc.dictionary(fc.constantFrom(...names), cell);
const columns = [
  ...['o.state', '__proto__', 'constructor'].map(member => columnOf(member, 'string')),
  columnOf('o.at.month', 'time'),
  columnOf('o.count', 'number'),
];
const jsonQuery = {
  measures: ['o.count'],
  dimensions: ['o.state'],
  timeDimensions: [{ dimension: 'o.at', granularity: 'month' }],
};

const snapshotOf = (fields: object) =>
  ({ id: 1, reportId: 1, versionNumber: 1, kind: 'table', meta: { jsonQuery }, ...fields }) as ReportSnapshot;

describe('an invalid report', () => {
  it('becomes a table of strings for any specification and rows', () => {
    fc.assert(
      fc.property(spec, fc.array(row, { maxLength: 8 }), fc.nat(6), (given, rows, column) => {
        const snapshot = snapshotOf({ spec: given });
        const rowSet = rowSetOf(columns, rows);
        const groups = totalGroups(snapshot, jsonQuery, null);
        const totals = new Map(groups.map(members => [JSON.stringify([...members].sort()), rowSet]));
        const table = sortTable(
          reportTable({ rowSet, totals }, snapshot, { formatter: createFormatter('en') }),
          { column, descending: true },
          'en',
        );
        for (let index = 0; index < table.rowCount; index += 1) {
          const cells = table.row(index)?.cells ?? [];
          expect(cells).toHaveLength(table.columns.length);
          for (const { text } of cells) expect(typeof text).toBe('string');
          table.columns.forEach((_, place) => {
            table.mark(index, place);
          });
        }
        for (const level of table.heads) {
          expect(level.reduce((sum, { span }) => sum + span, 0)).toBe(table.columns.length);
        }
        expect(tableToCsv(table).split('\r\n').length).toBeGreaterThan(table.rowCount);
      }),
    );
  });

  it('is filled and compared as far as its settings are valid', () => {
    const field = fc.record(
      {
        member: name,
        excludedDimensions: list,
        measure: name,
        timeDimension: name,
        outputs: list,
        offset: fc.oneof(
          fc.record({
            amount: fc.oneof(fc.integer(), fc.jsonValue()),
            unit: fc.oneof(fc.constantFrom('month', 'week'), fc.jsonValue()),
          }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(field, fc.array(row, { maxLength: 8 }), (given, rows) => {
        const snapshot = snapshotOf({
          fillMissingRows: given,
          periodComparisons: [given, { ...given, measure: 'o.count', timeDimension: 'o.at' }],
        });
        const rowSet = rowSetOf(columns, rows);
        const filling = fillingOf(snapshot, rowSet, { keyOf: member => member, nothing: () => '0' });
        const filled = filling ? fillMissing(rowSet, filling) : rowSet;
        expect(filled.rows.length).toBeGreaterThanOrEqual(rows.length);
        for (const comparison of comparisonsOf(snapshot, jsonQuery, null)) {
          const compared = withComparison(filled, rowSet, comparison, null);
          expect(compared.rows).toHaveLength(filled.rows.length);
          expect(compared.columns).toHaveLength(columns.length + comparison.columns.length);
        }
      }),
    );
  });
});
