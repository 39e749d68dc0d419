import { describe, expect, it } from 'vitest';
import { snapshotQuery } from '../../src/report/query.js';

const snapshot = { id: 1, reportId: 2, versionNumber: 1 };

describe('snapshotQuery', () => {
  it('reads the query that publishing wrote', () => {
    const jsonQuery = { measures: ['orders.count'] };
    expect(snapshotQuery({ ...snapshot, meta: { jsonQuery } })).toBe(jsonQuery);
  });

  it('finds none in a snapshot that has SQL alone', () => {
    expect(snapshotQuery({ ...snapshot, sqlQuery: 'select 1', meta: { publicId: 'abcdefghijkl' } })).toBeNull();
    expect(snapshotQuery({ ...snapshot, sqlQuery: 'select 1', meta: null })).toBeNull();
    expect(snapshotQuery(snapshot)).toBeNull();
  });
});
