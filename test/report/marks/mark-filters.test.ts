import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../src/contract/query.js';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import { conditionFilters } from '../../../src/report/controls/filter-condition.js';
import { type Mark, selectMarks } from '../../../src/report/marks/mark.js';
import { filtersOfMarks } from '../../../src/report/marks/mark-filters.js';
import { snapshotRequest } from '../../../src/report/query/report-request.js';
import fc, { casesAtDepth } from '../../property.js';

const column = (member: string, kind: Column['kind'], type: string, title: string): Column => ({
  member,
  kind,
  annotation: { title, shortTitle: title, type },
});
const rows: RowSet = {
  columns: [
    column('flights.carrier', 'dimension', 'string', 'Carrier'),
    column('flights.date.month', 'timeDimension', 'time', 'Month'),
    column('flights.count', 'measure', 'number', 'Flights'),
  ],
  rows: [],
  truncated: false,
  lastRefreshTime: null,
};
const request = snapshotRequest({
  id: 1,
  reportId: 1,
  versionNumber: 1,
  meta: {
    jsonQuery: {
      dimensions: ['flights.carrier'],
      timeDimensions: [{ dimension: 'flights.date', granularity: 'month' }],
      measures: ['flights.count'],
    },
  },
});
if (!request) throw new Error('The report has no request.');
const of = (values: Mark['values']): Mark => ({ values, measure: 'flights.count' });
const filters = (...marks: Mark[]) => filtersOfMarks(request, rows, marks);

describe('the filter of marks on other reports', () => {
  it('has the meta of the member, which names weekdays and months', () => {
    const [carrier, ...others] = rows.columns;
    const numbered = carrier && { ...carrier, annotation: { ...carrier.annotation, meta: { sunday: 7 } } };
    const named = { ...rows, columns: [...(numbered ? [numbered] : []), ...others] };
    expect(filtersOfMarks(request, named, [of({ 'flights.carrier': '1' })])).toMatchObject([{ meta: { sunday: 7 } }]);
  });

  it('is a condition if the marks have one member', () => {
    expect(filters(of({ 'flights.carrier': 'AA' }))).toEqual([
      { title: 'Carrier', member: 'flights.carrier', type: 'string', condition: { operator: 'equals', value: ['AA'] } },
    ]);
    expect(filters(of({ 'flights.carrier': 'AA' }), of({ 'flights.carrier': null }))[0]?.condition).toEqual({
      operator: 'equals',
      value: ['AA', null],
    });
  });

  it('combines marks of several members with OR', () => {
    const [filter, ...others] = filters(
      of({ 'flights.carrier': 'AA', 'flights.date.month': '2001-01-01T00:00:00.000' }),
      of({ 'flights.carrier': 'DL', 'flights.date.month': '2001-02-01T00:00:00.000' }),
    );
    expect(others).toEqual([]);
    expect(filter?.title).toBe('Carrier, Month');
    expect(JSON.stringify(filter?.combinedFilter)).toContain('"or":[{"and":[{"member":"flights.carrier"');
  });

  it('is a condition per member if the marks are all combinations', () => {
    const month = (name: string) => `2001-${name}-01T00:00:00.000`;
    const marks = ['AA', 'DL'].flatMap(carrier =>
      ['03', '01', '02'].map(name => of({ 'flights.carrier': carrier, 'flights.date.month': month(name) })),
    );
    const [carrier, date, ...others] = filters(...marks, ...marks.slice(0, 1));
    expect(others).toEqual([]);
    expect(carrier).toMatchObject({ title: 'Carrier', condition: { operator: 'equals', value: ['AA', 'DL'] } });
    expect(date).toEqual({
      title: 'Month',
      member: 'flights.date',
      type: 'time',
      condition: { operator: 'between', value: ['2001-01-01T00:00:00.000', '2001-03-31T23:59:59.999'] },
    });
    const [lacking] = filters(...marks.slice(1));
    expect(lacking?.combinedFilter).toMatchObject({ or: { length: 5 } });
  });

  it('is a combined filter for time spans with gaps', () => {
    const months = ['01', '03'].map(name => of({ 'flights.date.month': `2001-${name}-01T00:00:00.000` }));
    const [filter, ...others] = filters(...months);
    expect(others).toEqual([]);
    expect(filter?.combinedFilter).toMatchObject({ or: { length: 2 } });
    const [unknown] = filters(of({ 'flights.date.month': null }), ...months);
    expect(unknown?.combinedFilter).toMatchObject({ or: { length: 3 } });
  });

  it('is empty for the grand total', () => {
    expect(filters(of({}))).toEqual([]);
    expect(filters(of({ 'flights.carrier': 'AA' }), of({}))).toEqual([]);
    expect(filters(of({ 'flights.nothing': 'AA' }))).toEqual([]);
    expect(filters()).toEqual([]);
  });
});

describe('selecting marks', () => {
  const [a, b] = [of({ 'flights.carrier': 'AA' }), of({ 'flights.carrier': 'DL' })];

  it('replaces the selection with one mark, or adds it', () => {
    expect(selectMarks([a], [b], 'replace')).toEqual([b]);
    expect(selectMarks([a], [b], 'add')).toEqual([a, b]);
    expect(selectMarks([a, b], [b], 'replace')).toEqual([b]);
  });

  it('replaces the selection with several marks, or adds them, and deselects none of them', () => {
    expect(selectMarks([a], [a, b], 'replace')).toEqual([a, b]);
    expect(selectMarks([a], [b, a], 'add')).toEqual([b, a]);
    expect(selectMarks([a, b], [], 'replace')).toEqual([]);
    expect(selectMarks([a, b], [], 'add')).toEqual([a, b]);
    const many = Array.from({ length: 600 }, (_, index) => of({ 'flights.carrier': `C${index}` }));
    expect(selectMarks([a], many, 'add')).toEqual(many.slice(100));
  });

  it('deselects a selected mark', () => {
    expect(selectMarks([a], [a], 'replace')).toEqual([]);
    expect(selectMarks([a, b], [a], 'add')).toEqual([b]);
  });
});

describe('the filter of any selection', () => {
  const at = (time: number) => new Date(time).toISOString().slice(0, -1);
  const floors: Readonly<Record<string, (date: Date) => number>> = {
    hour: date => Math.floor(date.getTime() / 3_600_000) * 3_600_000,
    week: date => Math.floor((date.getTime() / 86_400_000 + 3) / 7) * 7 * 86_400_000 - 3 * 86_400_000,
    month: date => Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
    quarter: date => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % 3)),
    year: date => Date.UTC(date.getUTCFullYear(), 0),
  };
  const row = fc.record({
    carrier: fc.constantFrom('AA', 'DL', '', 'null', null),
    stops: fc.constantFrom(0, 1, null),
    late: fc.constantFrom(true, false, null),
    date: fc.oneof(
      fc.constant(null),
      fc.integer({ min: Date.UTC(2000, 9), max: Date.UTC(2001, 3) }),
      fc.constantFrom(Date.UTC(2001, 0), Date.UTC(2001, 0) - 1, Date.UTC(2001, 1) - 1, Date.UTC(2001, 1)),
    ),
  });
  type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;
  const cellOf = (member: string, { carrier, stops, late, date }: Row) => {
    const [, name, grain] = member.split('.');
    if (name === 'carrier') return carrier;
    if (name === 'stops') return stops;
    if (name === 'late') return late;
    return date === null ? null : at(floors[grain ?? '']?.(new Date(date)) ?? date);
  };
  const keeps = (filter: Filter, { carrier, stops, late, date }: Row): boolean => {
    const values = { carrier, stops, late, date: date === null ? null : at(date) };
    if ('and' in filter) return filter.and.every(part => keeps(part, { carrier, stops, late, date }));
    if ('or' in filter) return filter.or.some(part => keeps(part, { carrier, stops, late, date }));
    const value = Object.entries(values).find(([name]) => filter.member === `flights.${name}`)?.[1] ?? null;
    const [first = null] = 'values' in filter ? (filter.values ?? []) : [];
    if (filter.operator === 'notSet') return value === null;
    if (filter.operator === 'equals') return (filter.values ?? []).some(expected => expected === value);
    if (filter.operator === 'afterOrOnDate') return value !== null && value >= String(first);
    if (filter.operator === 'beforeOrOnDate') return value !== null && value <= String(first);
    throw new Error(`unknown operator ${filter.operator}`);
  };

  it('selects exactly the rows of the marks', () => {
    const types = { 'flights.carrier': 'string', 'flights.stops': 'number', 'flights.late': 'boolean' };
    const units = ['hour', 'week', 'month', 'quarter', 'year'].map(unit => `flights.date.${unit}`);
    const members = fc.oneof(
      fc.constantFrom(...units).map(unit => [unit]),
      fc
        .tuple(fc.subarray(Object.keys(types)), fc.subarray(units, { maxLength: 2 }))
        .map(names => names.flat())
        .filter(names => names.length > 0),
    );
    const chosen = fc.array(fc.tuple(row, fc.nat()), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        members,
        chosen,
        fc.boolean(),
        fc.array(row, { minLength: 10, maxLength: 20 }),
        (names, picks, isWhole, others) => {
          const dimensions = names.filter(name => name in types);
          const timeDimensions = names.flatMap(name =>
            name in types ? [] : [{ dimension: 'flights.date', granularity: name.split('.')[2] ?? '' }],
          );
          const asked = snapshotRequest({
            id: 1,
            reportId: 1,
            versionNumber: 1,
            meta: { jsonQuery: { dimensions, timeDimensions, measures: ['flights.count'] } },
          });
          const columns = names.map(name => {
            const type = Object.entries(types).find(([key]) => key === name)?.[1];
            return column(name, type ? 'dimension' : 'timeDimension', type ?? 'time', name);
          });
          if (!asked) throw new Error('The report has no request.');
          // For each row, a mark with all or some of its groups.
          const marks = picks.map(([of, which]) => {
            const spoken = isWhole ? names : names.filter((_, index) => (which >> index) % 2 === 0);
            return { values: Object.fromEntries(spoken.map(name => [name, cellOf(name, of)])), measure: null };
          });
          const kept = filtersOfMarks(asked, { ...rows, columns }, marks).flatMap(
            ({ member, type, condition, combinedFilter }) => {
              const filters = conditionFilters(member, condition, type);
              if (combinedFilter) return [combinedFilter];
              return 'filters' in filters ? filters.filters : [{ or: [] }];
            },
          );
          for (const other of [...others, ...picks.map(([of]) => of)]) {
            const isOfOne = marks.some(({ values }) =>
              Object.entries(values).every(([name, cell]) => cellOf(name, other) === cell),
            );
            expect(kept.every(filter => keeps(filter, other))).toBe(isOfOne);
          }
        },
      ),
      { numRuns: casesAtDepth(500) },
    );
  });
});
