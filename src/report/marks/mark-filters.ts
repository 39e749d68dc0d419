import type { Filter } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import { conditionFilters, type MemberType } from '../controls/filter-condition.js';
import { wallTime } from '../dates/time-buckets.js';
import { viewOf } from '../query/member-names.js';
import type { ReportRequest } from '../query/report-request.js';
import { columnTitle } from '../table/table.js';
import { filtersOfMark, type MarkCondition } from './drill.js';
import { type Mark, selectMarks } from './mark.js';

/** What marks that were chosen keep of other reports of one view. */
export interface MarkFilter {
  readonly title: string;
  readonly member: string;
  readonly type: MemberType;
  readonly condition: FilterCondition;
  /** In the words of the Data API, where it takes more than a condition on one member to say it. */
  readonly told?: Filter;
}

/** Marks of a report that are chosen, and what they keep other reports to. */
export interface MarkChoice {
  readonly marks: readonly Mark[];
  readonly filters: readonly MarkFilter[];
}

/** The marks after more were picked; none in the place of all takes them back. Marks that say nothing which others could follow are not chosen. */
export function choiceOfMarks(
  { request, rowSet, marks }: { request: ReportRequest; rowSet: RowSet; marks: readonly Mark[] },
  picked: readonly Mark[],
  how: 'add' | 'replace',
): MarkChoice {
  const chosen = selectMarks(marks, picked, how);
  const filters = filtersOfMarks(request, rowSet, chosen);
  return { marks: filters.length > 0 ? chosen : [], filters };
}

/**
 * What other reports are kept to when marks of one are chosen: the rows that any of the marks stands for. Reports of another view know
 * nothing of these members and are left alone; where marks speak of several views, each is kept to what they say of it.
 */
export function filtersOfMarks(request: ReportRequest, rowSet: RowSet, marks: readonly Mark[]): readonly MarkFilter[] {
  const told = marks.map(mark => filtersOfMark(request, rowSet, mark));
  const views = new Set(told.flat().map(({ member }) => viewOf(member)));
  return [...views].flatMap(view => {
    const perMark = told.map(conditions => conditions.filter(({ member }) => viewOf(member) === view));
    // A mark that says nothing of the view stands for all of it.
    return perMark.some(conditions => conditions.length === 0) ? [] : oneOf(perMark, titlesBy(request, rowSet));
  });
}

/** Any of these: a condition on each member where that says it, else what has to be told. */
function oneOf(perMark: readonly (readonly MarkCondition[])[], titleOf: (member: string) => string): MarkFilter[] {
  const all = perMark.flat();
  const members = [...new Set(all.map(({ member }) => member))];
  const byMember = members.map(member => all.filter(condition => condition.member === member));
  const each = byMember.map(joinedConditions);
  if (each.every(one => one !== null) && isProduct(perMark, byMember)) {
    return each.map(({ member, type, condition }) => ({
      title: titleOf(member),
      member,
      type: memberType(type),
      condition,
    }));
  }
  const [first] = all;
  const { member, type } = { member: first?.member ?? '', type: memberType(first?.type ?? '') };
  const title = members.map(titleOf).join(', ');
  const ands = perMark.map(conditions => joined('and', conditions.flatMap(toFilters)));
  return [{ title, member, type, condition: first?.condition ?? {}, told: joined('or', ands) }];
}

/** Whether marks are every combination of their members' values, so that a condition on each member keeps the same rows. */
function isProduct(
  perMark: readonly (readonly MarkCondition[])[],
  byMember: readonly (readonly MarkCondition[])[],
): boolean {
  const distinct = (texts: readonly string[]) => new Set(texts).size;
  const keyOf = (conditions: readonly MarkCondition[]) =>
    JSON.stringify(conditions.map(({ member, condition }) => [member, condition]).sort());
  const combinations = byMember.reduce((count, values) => count * distinct(values.map(value => keyOf([value]))), 1);
  return (
    perMark.every(conditions => conditions.length === byMember.length) && distinct(perMark.map(keyOf)) === combinations
  );
}

/** Any of some conditions on one member as one: values are a list, spans of time that follow each other one span. */
function joinedConditions(conditions: readonly MarkCondition[]): MarkCondition | null {
  const [first] = conditions;
  const distinct = [...new Map(conditions.map(({ condition }) => [JSON.stringify(condition), condition])).values()];
  if (!first || distinct.length === 1) return first ?? null;
  const condition = joinedValues(distinct) ?? joinedSpans(distinct);
  return condition && { ...first, condition };
}

function joinedValues(conditions: readonly FilterCondition[]): FilterCondition | null {
  if (!conditions.every(({ operator }) => operator === 'equals' || operator === 'is_null')) return null;
  return { operator: 'equals', value: conditions.flatMap(({ value }) => (Array.isArray(value) ? value : [null])) };
}

/** Null where something lies between. A span ends a millisecond before the next begins. */
function joinedSpans(conditions: readonly FilterCondition[]): FilterCondition | null {
  const spans = conditions
    .map(({ operator, value }) => (operator === 'between' && Array.isArray(value) ? value.map(String) : []))
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const follows = spans.every(([from], index) => {
    const end = wallTime(spans[index - 1]?.[1]);
    return index === 0 || (end !== null && wallTime(from) === end + 1);
  });
  const [from, to] = [spans[0]?.[0], spans.at(-1)?.[1]];
  return follows && from !== undefined && to !== undefined ? { operator: 'between', value: [from, to] } : null;
}

function toFilters({ member, type, condition }: MarkCondition): readonly Filter[] {
  const told = conditionFilters(member, condition, memberType(type));
  return 'filters' in told ? told.filters : [];
}

function joined(by: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [only] = filters;
  if (only && filters.length === 1) return only;
  return by === 'and' ? { and: [...filters] } : { or: [...filters] };
}

function memberType(type: string): MemberType {
  return type === 'time' || type === 'number' || type === 'boolean' ? type : 'string';
}

function titlesBy(request: ReportRequest, { columns }: RowSet): (member: string) => string {
  const keys = request.kind === 'load' ? request.columns : null;
  return member => {
    const column = columns.find(({ member: name }) => {
      const key = keys && Object.hasOwn(keys, name) ? (keys[name] ?? name) : name;
      return key === member || key.startsWith(`${member}.`);
    });
    return column ? columnTitle(column) : member;
  };
}
