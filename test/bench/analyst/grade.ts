import type { Query } from '../../../src/contract/query.js';
import type { Answer } from '../../platform/agent/analyst/run-question.js';
import { kindOf } from '../../platform/agent/analyst/run-question.js';
import type { SetQuestion } from './question-set.js';

/** How an answer relates to the expected chart. */
export const Grade = { right: 'right', partly: 'partly', wrong: 'wrong', refused: 'refused', asked: 'asked' } as const;
/** How an answer relates to the expected chart. */
export type Grade = (typeof Grade)[keyof typeof Grade];

/** The column that a member of a query reads. */
interface Part {
  readonly column: string;
  readonly aggregate: 'count' | 'sum' | 'mean' | null;
}

/**
 * Grades the queries of an answer. Accepts equal results: any granularity of the expected time unless the question
 * names one, any order, and a sum or an average if the question names neither. An answer that lacks a part is
 * `partly`, one that adds or replaces a part is `wrong`.
 * @param partOf - returns the column of a member.
 */
export function grade(answer: Answer, question: SetQuestion, partOf: (member: string) => Part): Grade {
  const kind = kindOf(answer);
  if (kind !== 'answers') return kind === 'asks' ? Grade.asked : Grade.refused;
  const [query, ...others] = answer.queries;
  const text = question.text.toLowerCase();
  if (query === undefined || others.length > 0 || !isSelectionAsked(query, text)) return Grade.wrong;
  const found =
    question.expected.raw.length > 0 ? gradeRaw(query, question, partOf) : gradeChart(query, question, partOf);
  return found === Grade.right && !isComplete(query, text) ? Grade.partly : found;
}

function gradeChart(query: Query, { text, expected }: SetQuestion, partOf: (member: string) => Part): Grade {
  const measures = (query.measures ?? []).map(partOf);
  const aggregates = aggregatesFor(text.toLowerCase(), expected.measure?.aggregate ?? 'count');
  const isMeasure = ({ column, aggregate }: Part) =>
    expected.measure?.aggregate === 'count'
      ? aggregate === 'count'
      : column === expected.measure?.column && aggregate !== null && aggregates.includes(aggregate);
  if (measures.some(measure => !isMeasure(measure))) return Grade.wrong;
  const groups = [...expected.groups, ...(expected.time === null ? [] : [expected.time])];
  const asked = groupsOf(query, partOf);
  if (asked.some(column => !groups.includes(column))) return Grade.wrong;
  return measures.length > 0 && groups.every(column => asked.includes(column)) ? Grade.right : Grade.partly;
}

/**
 * Grades a query for a chart of raw values. The query is right if it reads both columns, groups by at least one,
 * and contains all series.
 */
function gradeRaw(query: Query, { expected }: SetQuestion, partOf: (member: string) => Part): Grade {
  const measures = (query.measures ?? []).map(partOf);
  const groups = groupsOf(query, partOf);
  const read = [...measures.map(({ column }) => column), ...groups];
  const columns = [...expected.raw, ...expected.groups];
  const isRow = (column: string) => /^(?:model|title|name|product name)$/i.test(column);
  if (measures.some(({ column, aggregate }) => aggregate !== 'count' && !expected.raw.includes(column)))
    return Grade.wrong;
  if (groups.some(column => !columns.includes(column) && !isRow(column))) return Grade.wrong;
  if (!expected.raw.some(column => read.includes(column))) return Grade.wrong;
  return columns.every(column => read.includes(column)) && groups.length > 0 ? Grade.right : Grade.partly;
}

function groupsOf({ dimensions, timeDimensions }: Query, partOf: (member: string) => Part): string[] {
  const times = (timeDimensions ?? []).flatMap(({ dimension, granularity }) => (granularity ? [dimension] : []));
  return [...(dimensions ?? []), ...times].map(member => partOf(member).column);
}

function aggregatesFor(text: string, shown: Part['aggregate']): readonly Part['aggregate'][] {
  const said = [
    ...(/\b(?:average|avg|mean)\b|avg\(/.test(text) ? (['mean'] as const) : []),
    ...(/\b(?:total|sum)\b|sum\(/.test(text) ? (['sum'] as const) : []),
  ];
  if (said.length > 0) return said;
  return shown === 'count' ? ['count'] : ['sum', 'mean'];
}

/** Whether the question names the values that the query selects, and limits the rows if the query does. */
function isSelectionAsked(query: Query, text: string): boolean {
  const values = (query.filters ?? []).flatMap(filter => ('values' in filter ? (filter.values ?? []) : []));
  const isNamed = values.every(value =>
    String(value)
      .toLowerCase()
      .split(/\W+/)
      .some(word => text.includes(word.slice(0, 4))),
  );
  const isRanked = query.limit == null || /\b(?:\w+est|most|top|first|best|least)\b/.test(text);
  return isNamed && isRanked;
}

/** Whether the query covers the years, the granularity and the intervals that the question names. */
function isComplete(query: Query, text: string): boolean {
  const asked = JSON.stringify(query);
  const years = text.match(/\b(?:19|20)\d\d\b/g) ?? [];
  const grains = (query.timeDimensions ?? []).flatMap(({ granularity }) => granularity ?? []);
  const isGrain = ['year', 'month', 'quarter', 'week'].every(
    grain => !new RegExp(`\\b(?:by|per|each) ${grain}\\b`).test(text) || grains.includes(grain),
  );
  return (
    years.every(year => asked.includes(year)) && isGrain && !/\b(?:bins?|buckets?|intervals?|increments?)\b/.test(text)
  );
}
