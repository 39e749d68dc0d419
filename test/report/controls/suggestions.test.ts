import { describe, expect, it } from 'vitest';
import type { Choice, FilterControl } from '../../../src/report/controls/controls.js';
import { availableOperators, draftCondition, editorOf } from '../../../src/report/controls/filter-editor.js';
import { counterOf, modelFacts, timesOf } from '../../../src/report/controls/model-facts.js';
import { controlOf } from '../../../src/report/controls/read-control.js';
import { maxSuggestions, suggestionQuery, suggestionsOf } from '../../../src/report/controls/suggestions.js';

const position = { x: 0, y: 0, w: 1, h: 1 };
const filter = (config: Record<string, unknown> = {}): FilterControl => {
  const control = controlOf({ id: 'c', type: 'FILTER', position, config: { member: 'orders.state', ...config } });
  if (control?.kind !== 'filter') throw new Error('no filter');
  return control;
};
const chosen = (member: string, value: string): Choice => ({
  kind: 'filter',
  title: member,
  member,
  type: 'string',
  condition: { value },
  control: member,
  from: null,
});
const scope = { type: 'string', choices: [], search: '', counter: null } as const;

describe('suggestions', () => {
  it('are queried, sorted by number of rows if they can be counted', () => {
    expect(suggestionQuery(filter(), scope)).toEqual({
      dimensions: ['orders.state'],
      order: [['orders.state', 'asc']],
      limit: maxSuggestions,
    });
    expect(suggestionQuery(filter(), { ...scope, counter: 'orders.count' })).toMatchObject({
      measures: ['orders.count'],
      order: [
        ['orders.count', 'desc'],
        ['orders.state', 'asc'],
      ],
    });
  });

  it('are not queried if values are configured, or for times', () => {
    expect(suggestionQuery(filter({ values: ['CA'] }), scope)).toBeNull();
    expect(suggestionQuery(filter(), { ...scope, type: 'time' })).toBeNull();
  });

  it('apply the other filters of the view and a search text', () => {
    const choices = [chosen('orders.state', 'CA'), chosen('orders.city', 'LA'), chosen('users.name', 'x')];
    const query = suggestionQuery(filter(), { ...scope, choices, search: ' a ' });
    expect(query?.filters).toEqual([
      { member: 'orders.state', operator: 'contains', values: ['a'] },
      { member: 'orders.city', operator: 'equals', values: ['LA'] },
    ]);
    expect(suggestionQuery(filter(), { ...scope, type: 'number', search: '7' })?.filters).toBeUndefined();
  });

  it('are the values of the rows, with their counts', () => {
    const annotation = { title: '', shortTitle: '', type: 'string' };
    const columns = [
      { member: 'o.s', kind: 'dimension' as const, annotation },
      { member: 'o.n', kind: 'measure' as const, annotation },
    ];
    const rows = [{ 'o.s': 'CA', 'o.n': '7' }, { 'o.s': null, 'o.n': '1' }, { 'o.s': true }];
    const rowSet = { columns, rows, truncated: false, lastRefreshTime: null };
    expect(suggestionsOf(rowSet)).toEqual({
      values: [
        { value: 'CA', count: '7' },
        { value: null, count: '1' },
        { value: 'true', count: null },
      ],
      more: false,
    });
    expect(
      suggestionsOf({ ...rowSet, rows: Array.from({ length: maxSuggestions }, () => ({ 'o.s': 'x' })) }).more,
    ).toBe(true);
  });
});

describe('model facts', () => {
  it('contain the type and title of members, and the counting measure', () => {
    const entry = (name: string, type: string) => ({ name, type, title: name, shortTitle: name });
    const cube = { name: 'orders', type: 'view', title: 'Orders', segments: [] };
    const measures = [entry('orders.sum', 'number'), { ...entry('orders.count', 'number'), aggType: 'count' }];
    const dimensions = [entry('orders.date', 'time'), entry('orders.place', 'geo')];
    const facts = modelFacts({ cubes: [{ ...cube, measures, dimensions }] });
    expect(facts.get('orders.date')).toEqual({ type: 'time', title: 'orders.date', counts: false });
    expect(facts.get('orders.place')?.type).toBe('string');
    expect(counterOf(facts, 'orders')).toBe('orders.count');
    expect(counterOf(facts, 'order')).toBeNull();
  });

  it('include the time dimensions of reports before the model is loaded', () => {
    const snapshot = { id: 1, reportId: 1, versionNumber: 1 };
    const jsonQuery = { timeDimensions: [{ dimension: 'orders.date' }] };
    expect([...timesOf([snapshot, { ...snapshot, meta: { jsonQuery } }])]).toEqual(['orders.date']);
    expect(
      timesOf([{ ...snapshot, meta: { jsonQuery: JSON.parse('{"timeDimensions":[null,{"dimension":7}]}') } }]).size,
    ).toBe(0);
  });
});

describe('a draft condition', () => {
  it('has the operators of its type that the author allows', () => {
    expect(availableOperators(filter(), 'boolean')).toEqual(['equals', 'not_equals', 'is_null', 'is_not_null']);
    expect(availableOperators(filter({ operators: ['contains', 'equals'] }), 'string')).toEqual(['equals', 'contains']);
    expect(availableOperators(filter({ operators: ['contains'] }), 'number')).toContain('between');
    expect(availableOperators(filter({ single: true }), 'time')).toEqual(['equals']);
  });

  it('has the input for its operator and type', () => {
    expect(editorOf('equals', 'string')).toBe('list');
    expect(editorOf('equals', 'time')).toBe('day');
    expect(editorOf('between', 'time')).toBe('days');
    expect(editorOf('custom', 'time')).toBe('days');
    expect(editorOf('contains', 'string')).toBe('lines');
    expect(editorOf('less_than', 'number')).toBe('one');
    expect(editorOf('is_empty', 'string')).toBe('none');
  });

  it('is `null` without values', () => {
    expect(draftCondition('equals', [], null)).toBeNull();
    expect(draftCondition('equals', ['a'], null)).toEqual({ operator: 'equals', value: 'a' });
    expect(draftCondition('equals', [null], null)).toEqual({ operator: 'equals', value: [null] });
    expect(draftCondition('between', [null, ''], null)).toBeNull();
    expect(draftCondition('between', [null, '9'], { endInclusive: false })).toEqual({
      operator: 'between',
      value: [null, '9'],
      endInclusive: false,
    });
    expect(draftCondition('is_null', [], null)).toEqual({ operator: 'is_null' });
  });
});
