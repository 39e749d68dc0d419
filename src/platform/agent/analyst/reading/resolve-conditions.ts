import type { FilterOperator } from '../../../../contract/query.js';
import { Cue } from '../vocabulary/cues.js';
import { type Member, MemberKind } from '../vocabulary/lexicon.js';
import { stemsOf } from '../vocabulary/words.js';
import { hasOwnAggregate, isCount, isNumericColumn } from './arrange-figures.js';
import { aggregatesFor, type Draft, type DraftCondition, isPlural, membersIn } from './draft.js';
import { choose, impossible, labelOf, NeedsValues } from './outcome.js';
import type { Mention, Target } from './pieces.js';
import type { Condition } from './reading.js';
import { dimensionOf, measureOf, type Scope, valueMeant } from './resolve-members.js';

type MemberTarget = Extract<Target, { kind: 'member' }>;

/** Conditions of a question: values to include or exclude, rows without a value, and numbers. */
export interface ResolvedConditions {
  readonly values: readonly Condition[];
  readonly missing: readonly Condition[];
  readonly numbers: readonly Condition[];
  /** The condition on a measure, if any. */
  readonly having: Condition | null;
}

/** Resolves the conditions of a question. @throws {EarlyOutcome} if one is ambiguous or impossible. */
export function conditionsOf(draft: Draft, scope: Scope): ResolvedConditions {
  const values = valueConditions(draft, scope);
  const missing = draft.missing.map(mention => missingCondition(mention, draft, scope));
  const numbers = draft.conditions.map(condition => numberCondition(condition, draft, scope));
  const having = numbers.find(({ member }) => member.kind === MemberKind.measure) ?? null;
  return { values, missing, numbers, having };
}

/**
 * Returns the condition for a missing value. In a question about a period, `without a date` is ambiguous, because it
 * can mean that the date is missing, or that it is outside the period.
 */
function missingCondition(mention: Mention, { dates }: Draft, scope: Scope): Condition {
  const member = dimensionOf(mention, scope);
  if (member === null || (member.type === 'time' && dates.length > 0))
    throw impossible(`I don’t know what “${mention.text}” should exclude.`);
  const missing: Condition = { member, operator: 'notSet', values: [] };
  if (member.type !== 'number') return missingOrNone(missing, mention, scope);
  // `orders with no discount` may mean that the discount is missing or zero.
  const zero: Condition = { member, operator: 'equals', values: ['0'] };
  const options = [
    { id: 'zero', label: () => `${member.title} is 0`, value: zero },
    { id: 'missing', label: () => `${member.title} is missing`, value: missing },
  ];
  return choose({ choices: scope.choices, key: `no ${mention.text}`, about: `no ${mention.text}` }, options);
}

/**
 * Requires a choice for questions such as `strikes without damage`, which may refer to rows without a value, or to rows
 * with a value such as `None`.
 */
function missingOrNone(missing: Condition, mention: Mention, { values, joinGroup, choices }: Scope): Condition {
  const { member } = missing;
  if (values === null) throw new NeedsValues(null, joinGroup);
  const known = values.find(one => one.member === member)?.values ?? [];
  const options = [
    ...known
      .filter(value => /^(?:none|no|nothing|nil|n\/a)$/i.test(value))
      .map((value): Condition => ({ member, operator: 'equals', values: [value] })),
    missing,
  ].map(condition => ({
    id: condition.values[0] ?? 'missing',
    label: () => `${member.title} is ${condition.values[0] ?? 'missing'}`,
    value: condition,
  }));
  return choose({ choices, key: `no ${mention.text}`, about: `no ${mention.text}` }, options);
}

function valueConditions(draft: Draft, scope: Scope): Condition[] {
  const conditions: { member: Member; operator: FilterOperator; values: string[] }[] = [];
  for (const { mention, isExcluded, direction } of draft.values) {
    const { member, value } = valueMeant(qualified(mention, draft), scope, direction);
    const operator = isExcluded ? 'notEquals' : 'equals';
    const same = conditions.find(condition => condition.member === member && condition.operator === operator);
    if (same === undefined) conditions.push({ member, operator, values: [value] });
    else if (!same.values.includes(value)) same.values.push(value);
  }
  for (const mention of draft.by) {
    const member = dimensionOf(mention, scope, ({ type }) => type === 'boolean');
    if (member) conditions.push({ member, operator: 'equals', values: [draft.cues.has(Cue.not) ? 'false' : 'true'] });
  }
  return conditions;
}

/** Resolves a value to the dimension named next to it: `the city Manchester` is not an airport. */
function qualified(mention: Mention, draft: Draft): Mention {
  const computation = draft.by.filter(
    ({ from, to }) => Math.min(Math.abs(mention.from - to), Math.abs(from - mention.to)) <= 1,
  );
  const members = new Set(computation.flatMap(one => membersIn(one, MemberKind.dimension).map(({ member }) => member)));
  const targets = mention.targets.filter(({ member }) => members.has(member));
  return targets.length > 0 ? { ...mention, targets } : mention;
}

function numberCondition(condition: DraftCondition, draft: Draft, scope: Scope): Condition {
  const { target, operator, value } = condition;
  if (target === null) throw impossible(`I don’t know what to compare with ${value}.`);
  const column = columnOfAdjective(condition, scope);
  if (column) return { member: column, operator, values: [String(value)] };
  const isCountable = ({ type }: Member) => type === 'number';
  const measures = membersIn(target, MemberKind.measure).filter(({ member }) => member.joinGroup === scope.joinGroup);
  const all = membersIn(target, MemberKind.dimension).filter(
    ({ member }) => member.joinGroup === scope.joinGroup && isCountable(member),
  );
  // In `orders above 200 euros`, the condition applies to a dimension of orders, not of products.
  const cubes = new Set(
    draft.measures.flatMap(mention => membersIn(mention, MemberKind.measure).map(({ member }) => member.cube)),
  );
  const near = all.filter(({ member }) => cubes.has(member.cube));
  const dimensions = near.length > 0 ? near : all;
  const strength = (targets: typeof measures) => Math.max(0, ...targets.map(({ quality }) => quality));
  // In `cars with cylinders 8`, an exact number refers to the column, not to its sum.
  const isValue = operator === 'equals' && dimensions.length > 0;
  const isOfRows =
    isValue ||
    isOfRowsIfUnclear(condition, { draft, scope, dimensions, measures }) ||
    (dimensions.length > 0 &&
      strength(dimensions) >= strength(measures) - 0.1 &&
      !(isGroupHead(draft) && measures.length > 0 && strength(dimensions) - strength(measures) < 0.2));
  const member = isOfRows
    ? dimensionOf(target, scope, one => dimensions.some(({ member: other }) => other === one))
    : measureOf(target, scope, aggregatesFor(draft, target)[0] ?? null);
  if (member === null) throw impossible(`“${target.text}” can’t be compared with a number.`);
  return {
    member,
    operator,
    values: [String(scaled(condition, inUnit(value, condition.unit, member), member, scope))],
  };
}

/** Nouns of the columns that an adjective compares. */
const nounsOf: Readonly<Record<string, string>> = {
  older: 'age',
  younger: 'age',
  heavier: 'weight mass',
  lighter: 'weight mass',
  cheaper: 'price cost amount fee',
  taller: 'height',
  longer: 'length duration distance time runtime',
  shorter: 'length duration distance height time runtime',
};

/**
 * Returns the column of a comparison that names only the rows and an adjective: `patients older than 65` compares the
 * age. Returns `null` if the comparison names a column.
 * @throws {EarlyOutcome} with a question if several columns fit.
 */
function columnOfAdjective({ target, word, unit, value }: DraftCondition, scope: Scope): Member | null {
  const [adjective = ''] = (word ?? '').split(' ');
  const nouns = Object.hasOwn(nounsOf, adjective) ? stemsOf(nounsOf[adjective] ?? '') : [];
  if (target === null || nouns.length === 0 || unit !== null || !isCount(target) || isNumericColumn(target))
    return null;
  const rows = new Set(membersIn(target).map(({ member }) => member.cube));
  const columns = [...scope.lexicon.members.values()].filter(
    ({ kind, type, joinGroup, cube, title }) =>
      kind === MemberKind.dimension &&
      type === 'number' &&
      joinGroup === scope.joinGroup &&
      rows.has(cube) &&
      stemsOf(title).some(stem => nouns.includes(stem)),
  );
  if (columns.length === 0) return null;
  const options = columns.map(member => ({
    id: member.name,
    label: () => labelOf(member, scope.lexicon),
    value: member,
  }));
  return choose({ choices: scope.choices, key: `adjective ${adjective}`, about: `${word} ${value}` }, options);
}

interface Compared {
  readonly draft: Draft;
  readonly scope: Scope;
  readonly dimensions: readonly MemberTarget[];
  readonly measures: readonly MemberTarget[];
}

/**
 * Requests a choice between rows and groups for a condition such as `sales over 500 by category`. Returns true if the
 * condition applies to rows.
 */
function isOfRowsIfUnclear({ target }: DraftCondition, { draft, scope, dimensions, measures }: Compared): boolean {
  const [{ member: row } = {}, { member: figure } = {}] = [dimensions[0], measures[0]];
  // `the profit of customers with sales over 500` compares the sales of rows or of customers.
  const isOfNoun = draft.by.some(one => !draft.grouped.has(one) && isPlural(one) && one.to <= (target?.from ?? 0));
  const isNamed = draft.measures.length === 0 || isOfNoun;
  const isUnclear = target !== null && row && figure && isNamed && draft.rank === null;
  if (!isUnclear || hasOwnAggregate(target, draft)) return false;
  // `states with a delay over 20` compares groups.
  // If the condition may apply to a sum or an average, it may also apply to the rows.
  const isOfGroups = draft.by.some(one => draft.grouped.has(one) && one.from > target.to);
  const figures = new Set(measures.map(({ member }) => member.aggregate));
  if (!isOfGroups && !((isGroupHead(draft) || isOfNoun) && figures.has('total') && figures.has('average')))
    return false;
  const options = [
    { id: 'rows', label: () => `${row.title} of each row`, value: true },
    { id: 'groups', label: () => `${labelOf(figure, scope.lexicon)} of each group`, value: false },
  ];
  return choose({ choices: scope.choices, key: `compared ${target.text}`, about: target.text }, options);
}

const secondsIn: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };

/** Converts a duration to the unit of a member: `an hour` is 60 for `Delay (minutes)`. */
function inUnit(value: number, unit: string | null, member: Member): number {
  if (unit === null) return value;
  const own = Object.keys(secondsIn).find(name =>
    member.units.some(word => name.startsWith(word) || word === name.slice(0, 3)),
  );
  const [from, to] = [secondsIn[unit], secondsIn[own ?? '']];
  if (from === undefined || to === undefined)
    throw impossible(`I don’t know how to compare ${member.title} with a number of ${unit}s.`);
  return Number(((value * from) / to).toPrecision(12));
}

/** Whether a question requests groups and its condition compares a measure: `states with a delay over 20`. */
function isGroupHead({ by, measures }: Draft): boolean {
  return by.length > 0 && measures.length === 0;
}

/**
 * Converts a percentage to the unit of the column: percent or fractions. @throws {EarlyOutcome} if the model does not
 * state the unit.
 */
function scaled({ value, isPercent, target }: DraftCondition, inUnits: number, member: Member, scope: Scope): number {
  const isShare =
    JSON.stringify(member.annotation.format ?? '').includes('percent') ||
    JSON.stringify(member.annotation.formatDescription ?? '').includes('%');
  if (!isPercent) return isShare && inUnits > 1 ? Number((inUnits / 100).toPrecision(12)) : inUnits;
  if (isShare) return inUnits;
  const percent = Number((inUnits * 100).toPrecision(12));
  if (/%|\bpercent/i.test(member.title)) return percent;
  const options = [percent, inUnits].map(one => ({
    id: String(one),
    label: () => `${member.title} ${one}`,
    value: one,
  }));
  return choose({ choices: scope.choices, key: `percent ${target?.text} ${value}`, about: `${percent}%` }, options);
}
