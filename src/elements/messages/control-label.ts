import type { FilterValue } from '../../contract/query.js';
import type { Column } from '../../contract/row-set.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import type { ControlState, FieldState, GrainState, ParentState } from '../../report/controls/control-state.js';
import type { Choice, FilterControl } from '../../report/controls/controls.js';
import {
  isOperator,
  type MemberType,
  operatorOf,
  valuelessOperators,
  valuesOf,
} from '../../report/controls/filter-condition.js';
import type { ModelFacts } from '../../report/controls/model-facts.js';
import { wallClockTime } from '../../report/dates/wall-clock.js';
import { calendarNamer, isCalendar } from '../../report/format/calendar-names.js';
import { formatList } from '../../report/format/locale.js';
import { humanizeName } from '../../report/query/member-names.js';
import { type ControlsMessages, phrases } from '../parts/controls/controls-messages.js';
import type { PageMessages } from './page-messages.js';

/** Context for composing sentences. */
export interface LabelContext {
  readonly locale: string;
  readonly words: ControlsMessages;
  /** Messages of the dashboard. */
  readonly outer: PageMessages;
  readonly model: ModelFacts | null;
  /** Names the numbers of weekdays and months; returns `null` for other values. */
  readonly nameOf?: ((value: FilterValue) => string | null) | null;
}

/**
 * Returns the context for values of a member, whose numbers may be weekdays or months.
 * @param meta - `meta` of the member. Default: that of the model.
 */
export function withNames(speech: LabelContext, member: string, meta = speech.model?.get(member)?.meta): LabelContext {
  const annotation = { title: '', shortTitle: '', type: 'number', meta };
  const column: Column = { member, kind: 'dimension', annotation };
  return { ...speech, nameOf: isCalendar(column) ? calendarNamer(column, speech.locale) : null };
}

/** Maximum number of values that a sentence lists; further values are counted. */
const maxNamedValues = 3;
const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Returns the label of a control as a sentence: "Carrier is AA, DL". */
export function controlLabel(state: ControlState, type: MemberType | null, speech: LabelContext): string {
  const { words } = speech;
  const { title } = state.control;
  if (state.kind === 'filter') return filterLabel(title, state.value, type, withNames(speech, state.control.member));
  return words.sentence(title, '', choiceName(state, speech));
}

/** Returns the label of a filter and its condition as a sentence. */
export function filterLabel(
  title: string,
  condition: FilterCondition | null,
  type: MemberType | null,
  speech: LabelContext,
): string {
  const { words, outer } = speech;
  if (!condition) return words.sentence(title, '', outer.allValues);
  const operator = operatorOf(condition);
  if (!isOperator(operator)) return words.sentence(title, '', operator);
  const values = valuesOf(condition);
  const label = operator === 'custom' ? '' : words.operators[operator];
  if (valuelessOperators.includes(operator)) return words.sentence(title, label, '');
  if (operator === 'between' && values.length === 2) return rangeLabel(title, condition, type, speech);
  const named = values.slice(0, maxNamedValues).map(value => valueText(value, type, speech));
  const list = formatList(speech.locale, named);
  const rest = values.length - named.length;
  const more = rest > 0 ? ` +${new Intl.NumberFormat(speech.locale).format(rest)}` : '';
  return words.sentence(title, label, `${list}${more}`);
}

/**
 * Formats a single value. A time at the start or end of a day is formatted as a date; `edges: 'time'` includes the
 * time, for ranges whose other end is not at the edge of a day.
 */
export function valueText(
  value: FilterValue,
  type: MemberType | null,
  { locale, words, nameOf }: LabelContext,
  edges: 'day' | 'time' = 'day',
): string {
  if (value === null) return words.noValue;
  if (value === '') return words.emptyText;
  if (typeof value === 'boolean' || (type === 'boolean' && /^(true|false)$/.test(value.toString()))) {
    return String(value) === 'true' ? words.yes : words.no;
  }
  const name = nameOf?.(value);
  if (name != null) return name;
  if (typeof value === 'number') return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value);
  const phrase = phrases.find(known => known === value);
  if (phrase !== undefined && type !== 'string') return words.phrases[phrase];
  return type === 'time' || type === null ? dateText(value, locale, edges) : value;
}

/** Returns the name of the selected granularity, member or parent option. */
export function choiceName(state: GrainState | FieldState | ParentState, speech: LabelContext): string {
  switch (state.kind) {
    case 'grain':
      return state.value === null ? speech.outer.ownGranularity : granularityName(state.value, speech.locale);
    case 'field':
      return memberTitle(state.value ?? state.control.member, state, speech.model);
    case 'parent':
      return state.control.options.find(({ id }) => id === state.value)?.title ?? '–';
  }
}

/** Returns the title of a selectable member. */
export function memberTitle(member: string, { control }: FieldState, model: ModelFacts | null): string {
  const own = control.members.find(option => option.member === member)?.title;
  return own ?? model?.get(member)?.title ?? humanizeName(member.slice(member.indexOf('.') + 1));
}

const dateFields: ReadonlyMap<string, string> = new Map([
  ['second', 'second'],
  ['minute', 'minute'],
  ['hour', 'hour'],
  ['day', 'day'],
  ['week', 'weekOfYear'],
  ['month', 'month'],
  ['quarter', 'quarter'],
  ['year', 'year'],
]);

/** Returns the localized name of a granularity. Custom granularities of the model are returned unchanged. */
export function granularityName(name: string, locale: string): string {
  const field = dateFields.get(name);
  const text =
    field === undefined ? name : (new Intl.DisplayNames(locale, { type: 'dateTimeField' }).of(field) ?? name);
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

/** Returns whether a filter takes exactly one value from a list. */
export function isSimple({ single, operators, initial }: FilterControl, type: MemberType | null): boolean {
  return single && operators === null && type !== 'time' && (initial?.operator ?? 'equals') === 'equals';
}

function rangeLabel(title: string, condition: FilterCondition, type: MemberType | null, speech: LabelContext): string {
  const { words } = speech;
  const [start = null, end = null] = valuesOf(condition);
  const edges = [start, end].every(value => typeof value !== 'string' || isEdge(wallClockTime(value), dayMs))
    ? 'day'
    : 'time';
  const text = (value: FilterValue): string => valueText(value, type, speech, edges);
  const isOpen = (value: FilterValue): boolean => value === null || value === '';
  if (isOpen(end)) {
    const operator = condition.startInclusive === false ? 'greater_than' : 'greater_than_or_equal';
    return words.sentence(title, words.operators[operator], text(start));
  }
  if (isOpen(start)) {
    const operator = condition.endInclusive === false ? 'less_than' : 'less_than_or_equal';
    return words.sentence(title, words.operators[operator], text(end));
  }
  const days = edges === 'day' ? [start, end].map(value => wallClockTime(String(value))) : [];
  const [from = Number.NaN, to = Number.NaN] = days;
  if (from <= to) return words.sentence(title, '', dayFormat(speech.locale).formatRange(from, to));
  return words.sentence(title, words.operators.between, words.range(text(start), text(end)));
}

function dayFormat(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', calendar: 'gregory', timeZone: 'UTC' });
}

/** Formats a date or time. Returns other strings unchanged. */
function dateText(value: string, locale: string, edges: 'day' | 'time'): string {
  const time = wallClockTime(value);
  if (Number.isNaN(time)) return value;
  const isDay = !value.includes(':') || (edges === 'day' && isEdge(time, dayMs));
  const within = isEdge(time, minuteMs) ? 'short' : 'medium';
  const timeStyle = isDay ? undefined : within;
  const format = { dateStyle: 'medium', timeStyle, calendar: 'gregory', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, format).format(time);
}

/** Returns whether a time is the first or last moment of a unit. Invalid times count as edges. */
function isEdge(time: number, unit: number): boolean {
  return Number.isNaN(time) || time % unit === 0 || (time + 1) % unit === 0;
}

/** Returns the type of a filter's values; `null` if unknown. */
export function typeOfControl({ control }: ControlState, choices: readonly Choice[]): MemberType | null {
  const choice = choices.find(candidate => candidate.kind === 'filter' && candidate.control === control.id);
  return choice?.kind === 'filter' ? choice.type : null;
}

/** Label of the filters that come from the marks of one tile. */
export interface MarkFilterLabel {
  /** Widget id of the tile. */
  readonly from: string;
  readonly sentence: string;
}

/** Returns one sentence for each tile whose marks filter others: "Carrier is AA, DL". */
export function markFilterLabels(choices: readonly Choice[], speech: LabelContext): readonly MarkFilterLabel[] {
  const byTile = new Map<string, string[]>();
  for (const choice of choices) {
    if (choice.kind !== 'filter' || choice.from === null || !choice.condition) continue;
    const { title, member, condition, type, meta, combinedFilter, from } = choice;
    const named = withNames(speech, member, meta);
    const sentence = combinedFilter ? speech.words.severalMarks(title) : filterLabel(title, condition, type, named);
    byTile.set(from, [...(byTile.get(from) ?? []), sentence]);
  }
  return [...byTile].map(([from, sentences]) => ({ from, sentence: formatList(speech.locale, sentences) }));
}
