import { describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import { grade } from '../../../bench/analyst/grade.js';
import type { ExpectedChart, SetQuestion } from '../../../bench/analyst/question-set.js';

const parts: Readonly<Record<string, { column: string; aggregate: 'count' | 'sum' | 'mean' | null }>> = {
  'cars.count': { column: '', aggregate: 'count' },
  'cars.weight_sum': { column: 'Weight', aggregate: 'sum' },
  'cars.weight_avg': { column: 'Weight', aggregate: 'mean' },
  'cars.origin': { column: 'Origin', aggregate: null },
  'cars.weight': { column: 'Weight', aggregate: null },
  'cars.mpg': { column: 'MPG', aggregate: null },
  'cars.year': { column: 'Year', aggregate: null },
};
const partOf = (member: string) => parts[member] ?? { column: member, aggregate: null };

const byOrigin: ExpectedChart = {
  measure: { column: 'Weight', aggregate: 'mean' },
  raw: [],
  groups: ['Origin'],
  time: null,
};

function gradeOf(text: string, expected: ExpectedChart, queries: readonly Query[], said = '') {
  const question: SetQuestion = { text, dataset: 'cars', expected, isLearned: true };
  const turn = { input: text, answer: said, calls: [] };
  return grade({ turn, text: said, queries, marks: [], events: [] }, question, partOf);
}

describe('the grade of an answer in the benchmark', () => {
  const complete: Query = { measures: ['cars.weight_avg'], dimensions: ['cars.origin'] };

  it.each<[string, string, readonly Query[], string]>([
    ['right', 'average weight by origin', [complete], ''],
    ['right', 'weight by origin', [{ ...complete, measures: ['cars.weight_sum'] }], ''],
    ['wrong', 'average weight by origin', [{ ...complete, measures: ['cars.weight_sum'] }], ''],
    ['wrong', 'average weight by origin', [{ ...complete, measures: ['cars.count'] }], ''],
    ['wrong', 'average weight by origin', [{ ...complete, dimensions: ['cars.origin', 'cars.mpg'] }], ''],
    ['wrong', 'average weight by origin', [complete, complete], ''],
    ['wrong', 'average weight by origin', [{ ...complete, limit: 5 }], ''],
    [
      'wrong',
      'average weight by origin',
      [{ ...complete, filters: [{ member: 'cars.origin', operator: 'equals', values: ['Japan'] }] }],
      '',
    ],
    ['partly', 'average weight by origin', [{ measures: ['cars.weight_avg'] }], ''],
    ['partly', 'average weight by origin in 1974', [complete], ''],
    ['asked', 'average weight by origin', [], 'Do you mean **Origin**?'],
    ['refused', 'average weight by origin', [], 'I don’t know what “weight” means.'],
  ])('is %s for “%s” with %j', (expected, text, queries, said) => {
    expect(gradeOf(text, byOrigin, queries, said)).toBe(expected);
  });

  it('requires both columns and a grouping of a chart with raw values', () => {
    const raw: ExpectedChart = { measure: null, raw: ['Weight', 'MPG'], groups: [], time: null };
    expect(gradeOf('weight against mpg', raw, [{ dimensions: ['cars.weight', 'cars.mpg'] }])).toBe('right');
    expect(gradeOf('weight against mpg', raw, [{ measures: ['cars.count'], dimensions: ['cars.mpg'] }])).toBe('partly');
    expect(gradeOf('weight against mpg', raw, [{ dimensions: ['cars.origin'] }])).toBe('wrong');
  });

  it('requires the granularity that the question names', () => {
    const yearly: ExpectedChart = { ...byOrigin, groups: [], time: 'Year' };
    const by = (granularity: string): Query => ({
      measures: ['cars.weight_avg'],
      timeDimensions: [{ dimension: 'cars.year', granularity }],
    });
    expect(gradeOf('average weight by year', yearly, [by('year')])).toBe('right');
    expect(gradeOf('average weight by year', yearly, [by('month')])).toBe('partly');
    expect(gradeOf('average weight over time', yearly, [by('month')])).toBe('right');
  });
});
