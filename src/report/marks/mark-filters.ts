import type { MemberAnnotation } from '../../contract/data.js';
import type { Filter } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import { conditionFilters, type MemberType } from '../controls/filter-condition.js';
import { wallTime } from '../dates/time-buckets.js';
import { viewOf } from '../query/member-names.js';
import type { ReportRequest } from '../query/report-request.js';
import { columnTitle } from '../table/table.js';
import { filtersOfMark, type MarkCondition } from './drill.js';
import { type Mark, selectMarks } from './mark.js';

/** A filter on other reports of one view that selected marks define. */
export interface MarkFilter {
  readonly title: string;
  readonly member: string;
  readonly type: MemberType;
  readonly condition: FilterCondition;
  /** `meta` of the member. */
  readonly meta?: MemberAnnotation['meta'];
  /** Data API filter, if one condition on one member cannot express it. */
  readonly combinedFilter?: Filter;
}

/** The selected marks of a report and their filters on other reports. */
export interface MarkChoice {
  readonly marks: readonly Mark[];
  readonly filters: readonly MarkFilter[];
}

/** Returns the selection after marks were picked; see `selectMarks`. Marks that define no filter are not selected. */
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
 * Returns the filters on other reports for selected marks: the rows of any of the marks. A filter applies only to
 * reports of its view; if the marks have members of several views, there is a filter for each.
 */
export function filtersOfMarks(request: ReportRequest, rowSet: RowSet, marks: readonly Mark[]): readonly MarkFilter[] {
  const conditionsPerMark = marks.map(mark => filtersOfMark(request, rowSet, mark));
  const views = new Set(conditionsPerMark.flat().map(({ member }) => viewOf(member)));
  return [...views].flatMap(view => {
    const perMark = conditionsPerMark.map(conditions => conditions.filter(({ member }) => viewOf(member) === view));
    // A mark without members of the view includes all rows of the view.
    return perMark.some(conditions => conditions.length === 0) ? [] : oneOf(perMark, columnsBy(request, rowSet));
  });
}

/** Combines marks with OR: as one condition per member if that is equivalent, otherwise as a Data API filter. */
function oneOf(
  perMark: readonly (readonly MarkCondition[])[],
  columnOf: (member: string) => Column | null,
): MarkFilter[] {
  const titleOf = (member: string): string => {
    const column = columnOf(member);
    return column ? columnTitle(column) : member;
  };
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
      meta: columnOf(member)?.annotation.meta,
    }));
  }
  const [first] = all;
  const { member, type } = { member: first?.member ?? '', type: memberType(first?.type ?? '') };
  const title = members.map(titleOf).join(', ');
  const ands = perMark.map(conditions => joinFilters('and', conditions.flatMap(toFilters)));
  return [{ title, member, type, condition: first?.condition ?? {}, combinedFilter: joinFilters('or', ands) }];
}

/** True if the marks are all combinations of their values, so that one condition per member selects the same rows. */
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

/**
 * Combines conditions on one member with OR: values become a list, adjacent time spans one span. `null` if not
 * possible.
 */
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

/** Returns `null` if there are gaps between the spans. A span ends one millisecond before the next begins. */
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
  const result = conditionFilters(member, condition, memberType(type));
  return 'filters' in result ? result.filters : [];
}

function joinFilters(by: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [only] = filters;
  if (only && filters.length === 1) return only;
  return by === 'and' ? { and: [...filters] } : { or: [...filters] };
}

function memberType(type: string): MemberType {
  return type === 'time' || type === 'number' || type === 'boolean' ? type : 'string';
}

function columnsBy(request: ReportRequest, { columns }: RowSet): (member: string) => Column | null {
  const keys = request.kind === 'load' ? request.columns : null;
  return member => {
    const found = columns.find(({ member: name }) => {
      const key = keys && Object.hasOwn(keys, name) ? (keys[name] ?? name) : name;
      return key === member || key.startsWith(`${member}.`);
    });
    return found ?? null;
  };
}
