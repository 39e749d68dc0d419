import type { MetaResponse } from '../../../../src/contract/meta.js';
import type { Query } from '../../../../src/contract/query.js';
import type { RowSet } from '../../../../src/contract/row-set.js';
import type { CallerData } from '../../../../src/platform/data/caller-data.js';

/** A column of a row set. */
export function column(member: string, type = 'string', kind: RowSet['columns'][number]['kind'] = 'dimension') {
  return { member, kind, annotation: { title: `Long ${member}`, shortTitle: `Short ${member}`, type } };
}

/** A row set of these columns; cells stand in their order. */
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

/** What a fake caller sees where a test says nothing else. */
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

/** Data of a caller that answers every query alike, and notes what it was asked. */
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
