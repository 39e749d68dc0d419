import { describe, expect, it } from 'vitest';
import type { Column, RowSet } from '../../src/contract/row-set.js';
import type { Mark } from '../../src/report/mark.js';
import { chosenMarks } from '../../src/report/mark.js';
import { filtersOfMarks } from '../../src/report/mark-filters.js';
import { snapshotRequest } from '../../src/report/query.js';

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
if (!request) throw new Error('the report asks for something');
const of = (values: Mark['values']): Mark => ({ values, measure: 'flights.count' });
const filters = (...marks: Mark[]) => filtersOfMarks(request, rows, marks);

describe('what marks keep of other reports', () => {
  it('is a condition, where they are of one member', () => {
    expect(filters(of({ 'flights.carrier': 'AA' }))).toEqual([
      { title: 'Carrier', member: 'flights.carrier', type: 'string', condition: { operator: 'equals', value: ['AA'] } },
    ]);
    expect(filters(of({ 'flights.carrier': 'AA' }), of({ 'flights.carrier': null }))[0]?.condition).toEqual({
      operator: 'equals',
      value: ['AA', null],
    });
  });

  it('is any of them, where each is of several members', () => {
    const [filter, ...others] = filters(
      of({ 'flights.carrier': 'AA', 'flights.date.month': '2001-01-01T00:00:00.000' }),
      of({ 'flights.carrier': 'DL', 'flights.date.month': '2001-02-01T00:00:00.000' }),
    );
    expect(others).toEqual([]);
    expect(filter?.title).toBe('Carrier, Month');
    expect(JSON.stringify(filter?.told)).toContain('"or":[{"and":[{"member":"flights.carrier"');
  });

  it('is a condition on each member, where they are all of its combinations', () => {
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
    expect(lacking?.told).toMatchObject({ or: { length: 5 } });
  });

  it('has to be told of spans of time that do not follow each other', () => {
    const months = ['01', '03'].map(name => of({ 'flights.date.month': `2001-${name}-01T00:00:00.000` }));
    const [filter, ...others] = filters(...months);
    expect(others).toEqual([]);
    expect(filter?.told).toMatchObject({ or: { length: 2 } });
    const [unknown] = filters(of({ 'flights.date.month': null }), ...months);
    expect(unknown?.told).toMatchObject({ or: { length: 3 } });
  });

  it('is nothing of marks that stand for the whole', () => {
    expect(filters(of({}))).toEqual([]);
    expect(filters(of({ 'flights.carrier': 'AA' }), of({}))).toEqual([]);
    expect(filters(of({ 'flights.nothing': 'AA' }))).toEqual([]);
    expect(filters()).toEqual([]);
  });
});

describe('choosing marks', () => {
  const [a, b] = [of({ 'flights.carrier': 'AA' }), of({ 'flights.carrier': 'DL' })];

  it('takes one in the place of the others, or beside them', () => {
    expect(chosenMarks([a], [b], 'replace')).toEqual([b]);
    expect(chosenMarks([a], [b], 'add')).toEqual([a, b]);
    expect(chosenMarks([a, b], [b], 'replace')).toEqual([b]);
  });

  it('takes several in the place of the others, or beside them, and takes none of them back', () => {
    expect(chosenMarks([a], [a, b], 'replace')).toEqual([a, b]);
    expect(chosenMarks([a], [b, a], 'add')).toEqual([b, a]);
    expect(chosenMarks([a, b], [], 'replace')).toEqual([]);
    expect(chosenMarks([a, b], [], 'add')).toEqual([a, b]);
    const many = Array.from({ length: 600 }, (_, index) => of({ 'flights.carrier': `C${index}` }));
    expect(chosenMarks([a], many, 'add')).toEqual(many.slice(100));
  });

  it('takes back what was chosen already', () => {
    expect(chosenMarks([a], [a], 'replace')).toEqual([]);
    expect(chosenMarks([a, b], [a], 'add')).toEqual([b]);
  });
});
