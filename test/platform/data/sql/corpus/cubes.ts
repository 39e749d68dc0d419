import { type Cube, columns } from '../sound-sql.js';

/** The cubes of the corpus, without inexact members, because a sum of doubles depends on the order of the rows. */
export const corpusCubes: readonly Cube[] = [
  {
    name: 'orders',
    columns: [
      ...columns('number', 'id', 'customer_id', 'amount', 'quantity'),
      ...columns('text', 'status', 'note'),
      ...columns('boolean', 'paid'),
      ...columns('time', 'placed_at', 'due'),
    ],
    measures: [
      ...columns('number', 'count', 'total', 'smallest', 'largest', 'units', 'buyers', 'done', 'done_total'),
      ...columns('time', 'last_placed'),
    ],
  },
  {
    name: 'customers',
    columns: [
      ...columns('number', 'id', 'score'),
      ...columns('text', 'name', 'city'),
      ...columns('boolean', 'vip'),
      ...columns('time', 'since'),
    ],
    measures: columns('number', 'count', 'best'),
  },
  {
    name: 'items',
    columns: [...columns('number', 'id', 'order_id', 'price', 'pieces'), ...columns('text', 'product')],
    measures: columns('number', 'count', 'revenue', 'products'),
  },
  {
    name: 'days',
    columns: [
      ...columns('number', 'id', 'visits'),
      ...columns('text', 'label'),
      ...columns('boolean', 'holiday'),
      ...columns('time', 'day'),
    ],
    measures: columns('number', 'count', 'visited'),
  },
  {
    name: 'sales',
    columns: [
      ...columns('number', 'id', 'amount', 'quantity'),
      ...columns('text', 'status', 'name', 'city'),
      ...columns('boolean', 'paid'),
      ...columns('time', 'placed_at'),
    ],
    measures: columns('number', 'count', 'total', 'units'),
  },
];
