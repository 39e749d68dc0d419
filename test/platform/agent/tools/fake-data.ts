import type { MetaResponse } from '../../../../src/contract/meta.js';
import type { Query } from '../../../../src/contract/query.js';
import type { RowSet } from '../../../../src/contract/row-set.js';
import type { CallerData } from '../../../../src/platform/data/caller-data.js';

/** Creates a column of a row set. */
export function column(member: string, type = 'string', kind: RowSet['columns'][number]['kind'] = 'dimension') {
  return { member, kind, annotation: { title: `Long ${member}`, shortTitle: `Short ${member}`, type } };
}

/** Creates a row set with cells in column order. */
export function rowSet(columns: RowSet['columns'], rows: readonly (readonly (string | null)[])[]): RowSet {
  const named = rows.map(cells =>
    Object.fromEntries(columns.map(({ member }, index) => [member, cells[index] ?? null])),
  );
  return { columns, rows: named, truncated: false, lastRefreshTime: null };
}

const shown = { title: 'Orders', type: 'cube' };
const member = (name: string, title: string, type = 'string') => ({
  name,
  title: `Orders ${title}`,
  shortTitle: title,
  type,
});

/** The default metadata of a fake caller. */
const fakeMeta: MetaResponse = {
  cubes: [
    {
      ...shown,
      name: 'orders',
      description: 'All that was sold',
      measures: [
        { ...member('orders.count', 'Count', 'number'), aggType: 'count' },
        { ...member('orders.total', 'Revenue', 'number'), aggType: 'sum', meta: { synonyms: ['turnover', 7] } },
      ],
      dimensions: [
        { ...member('orders.city', 'City'), description: 'Where it was delivered to' },
        member('orders.placed_at', 'Placed', 'time'),
      ],
      segments: [{ name: 'orders.large', title: 'Orders Large', shortTitle: 'Large' }],
    },
    {
      name: 'customers',
      title: 'Customers',
      type: 'view',
      measures: [],
      dimensions: [{ name: 'customers.name', title: 'Customers Name', shortTitle: 'Name', type: 'string' }],
      segments: [],
    },
  ],
};

/** Creates a caller that returns the same response to every query and records the queries. */
export function fakeData(answer: Partial<{ rowSet: RowSet; totalRows: number; meta: MetaResponse }> = {}) {
  const asked: Query[] = [];
  const data: CallerData = {
    meta: () => answer.meta ?? fakeMeta,
    async load(query) {
      asked.push(query);
      const rows = answer.rowSet ?? rowSet([column('orders.city'), column('orders.count', 'number')], [['Rome', '3']]);
      return { rowSet: rows, totalRows: answer.totalRows ?? rows.rows.length };
    },
  };
  return { data, asked };
}
