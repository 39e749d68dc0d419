import type { Filter } from '../contract/query.js';
import type { RowSet } from '../contract/row-set.js';
import type { FilterCondition } from '../contract/widget-config.js';
import { filtersOfMark, type MarkCondition } from './drill.js';
import { conditionFilters, type MemberType } from './filter-condition.js';
import { chosenMarks, type Mark } from './mark.js';
import type { ReportRequest } from './query.js';
import { viewOf } from './query-keys.js';
import { columnTitle } from './table.js';

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

const mostMarks = 200;

/** The marks after one more was chosen, or all were taken back (null). Marks that say nothing which others could follow are not chosen. */
export function choiceOfMark(
  { request, rowSet, marks }: { request: ReportRequest; rowSet: RowSet; marks: readonly Mark[] },
  mark: Mark | null,
  how: 'add' | 'replace',
): MarkChoice {
  const chosen = mark ? chosenMarks(marks, mark, how) : [];
  const filters = filtersOfMarks(request, rowSet, chosen);
  return { marks: filters.length > 0 ? chosen : [], filters };
}

/**
 * What other reports are kept to when marks of one are chosen: the rows that any of the marks stands for. Reports of another view know
 * nothing of these members and are left alone; where marks speak of several views, each is kept to what they say of it.
 */
export function filtersOfMarks(request: ReportRequest, rowSet: RowSet, marks: readonly Mark[]): readonly MarkFilter[] {
  const told = marks.slice(-mostMarks).map(mark => filtersOfMark(request, rowSet, mark));
  const views = new Set(told.flat().map(({ member }) => viewOf(member)));
  return [...views].flatMap(view => {
    const perMark = told.map(conditions => conditions.filter(({ member }) => viewOf(member) === view));
    // A mark that says nothing of the view stands for all of it.
    return perMark.some(conditions => conditions.length === 0) ? [] : [oneOf(perMark, titlesBy(request, rowSet))];
  });
}

/** Any of these: values of one member are one condition, all else has to be told. */
function oneOf(perMark: readonly (readonly MarkCondition[])[], titleOf: (member: string) => string): MarkFilter {
  const [first] = perMark.flat();
  const members = [...new Set(perMark.flat().map(({ member }) => member))];
  const title = members.map(titleOf).join(', ');
  const { member, type } = { member: first?.member ?? '', type: memberType(first?.type ?? '') };
  const conditions = perMark.flat().map(({ condition }) => condition);
  const [only] = conditions;
  if (only && conditions.length === 1) return { title, member, type, condition: only };
  const isList =
    members.length === 1 && conditions.every(({ operator }) => operator === 'equals' || operator === 'is_null');
  const values = conditions.flatMap(({ value }) => (Array.isArray(value) ? value : [value ?? null]));
  if (isList) return { title, member, type, condition: { operator: 'equals', value: values } };
  const ands = perMark.map(all => joined('and', all.flatMap(toFilters)));
  return { title, member, type, condition: only ?? {}, told: joined('or', ands) };
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
