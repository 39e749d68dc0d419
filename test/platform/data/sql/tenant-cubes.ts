import { type Cube, columns } from './sound-sql.js';

/** The cubes of `tenant-model.ts` as visible to tenants, without rolling windows. */
export const tenantCubes: readonly Cube[] = [
  {
    name: 'orders',
    columns: [
      ...columns('number', 'id', 'amount', 'quantity'),
      ...columns('text', 'tenant', 'city'),
      ...columns('boolean', 'paid'),
      ...columns('time', 'placed_at'),
    ],
    measures: columns('number', 'count', 'total', 'average', 'largest', 'cities', 'big', 'each'),
  },
  {
    name: 'customers',
    columns: [...columns('number', 'id'), ...columns('text', 'tenant', 'name')],
    measures: [...columns('number', 'count'), ...columns('text', 'last')],
  },
  { name: 'items', columns: columns('text', 'tenant'), measures: columns('number', 'count', 'quantity') },
  {
    name: 'sales',
    columns: [
      ...columns('number', 'quantity'),
      ...columns('text', 'city', 'tenant', 'name'),
      ...columns('time', 'placed_at'),
    ],
    measures: columns('number', 'count', 'total'),
  },
];
