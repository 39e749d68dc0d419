import { isObject } from '../../../charts/spec/spec.js';
import type { FilterCondition } from '../../../contract/widget-config.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Control } from '../../../report/controls/controls.js';
import { dashboardOperatorOf } from '../../../report/controls/filter-condition.js';
import type { ControlProposal, SettableControl } from '../../../report/controls/propose-controls.js';
import type { AgentDashboard, AgentTurn, PastTurn } from '../agent.js';
import { plainText } from './answering/markdown.js';
import { lastReading } from './reading/past-turns.js';
import type { Condition, Reading } from './reading/reading.js';
import type { Session } from './session.js';
import { turnOfTile } from './tile-question.js';
import type { DateSpan } from './time/date-span.js';
import type { Lexicon } from './vocabulary/lexicon.js';

/** A message that requests a change to the dashboard itself. */
export interface ControlRequest {
  readonly kind: 'set' | 'clear' | 'reset';
  /** The message without its verb and without the words for the dashboard. */
  readonly rest: string;
}

/** The values to propose, or the reason why there are none. */
export type ControlAnswer = { readonly values: readonly ControlProposal[] } | { readonly refusal: string };

const verbs =
  /^\s*(?:please\s+|now\s+|can you\s+|could you\s+)*(filter|limit|restrict|narrow|set|switch|change|show(?:\s+me)?\s+(?:only|just)|only show|clear|remove|reset)\b/i;
const dashboardWords = /\b(?:(?:on|in|for|of|from)\s+)?(?:(?:the|this|my|whole|entire)\s+)*(?:dashboard|page)\b/i;
const connectors = /^(?:\s|,|\b(?:down|to|by|on|for|only|just|the|so that it shows)\b)+|(?:\s|[.!?]|\bplease\b)+$/gi;

/** Reads a message such as "show only Denver on the dashboard"; `null` if it requests no change to the dashboard. */
export function readControlRequest(input: string): ControlRequest | null {
  const verb = verbs.exec(input)?.[1]?.toLowerCase();
  if (input.length > 300 || verb === undefined || !dashboardWords.test(input)) return null;
  const rest = input.replace(verbs, ' ').replace(dashboardWords, ' ').replaceAll(connectors, '').trim();
  const isGeneral = /^(?:(?:all|every|its|the|of)\b\s*)*(?:filters?|controls?|everything|conditions?)?$/i.test(rest);
  if (verb === 'clear' || verb === 'remove') return isGeneral ? { kind: 'clear', rest: '' } : null;
  if (verb === 'reset') return isGeneral ? { kind: 'reset', rest: '' } : null;
  return rest === '' ? null : { kind: 'set', rest };
}

/** Interprets a request with the controls of the dashboard, and with the model as its tiles use it. */
export async function answerControlRequest(
  { kind, rest }: ControlRequest,
  { dashboard, turn, session, lexicon }: ControlContext,
): Promise<ControlAnswer> {
  const { controls } = dashboard;
  if (controls.length === 0) return { refusal: 'I can’t change the controls of this dashboard.' };
  if (kind !== 'set') return { values: defaultValues(controls, kind) };
  const option = optionNamed(controls, rest);
  if (option) return { values: [option] };
  let refusal = `I can’t read “${plainText(rest, 100)}” as a value of a control. ${controlsText(controls)}`;
  for (const base of basesOf(dashboard, turn)) {
    const before = lastReading([base], lexicon);
    const outcomes = [await session.resolve([base], `only ${rest}`), await session.resolve([base], `and in ${rest}`)];
    // Read the request with and without a preposition: dates require one, but some values are misread with one.
    const outcome = outcomes.find(({ kind }) => kind === 'reading') ?? outcomes[0];
    if (outcome?.kind === 'ask') {
      const labels = outcome.choices.map(({ label }) => plainText(label, 100)).join(', or ');
      if (labels) refusal = `Do you mean ${labels}? Send the message again with one of them.`;
    }
    if (outcome?.kind !== 'reading' || !before) continue;
    const found = valuesOf(outcome.reading, before, controls);
    if ('values' in found) return found;
    refusal = found.refusal;
  }
  return { refusal };
}

/** Data for interpreting a request. */
interface ControlContext {
  readonly dashboard: AgentDashboard;
  readonly turn: AgentTurn;
  readonly session: Session;
  readonly lexicon: Lexicon;
}

function defaultValues(controls: readonly SettableControl[], kind: 'clear' | 'reset'): ControlProposal[] {
  return controls.flatMap(({ control }): ControlProposal[] => {
    if (control.kind === 'parent') return [];
    if (kind === 'reset') return [{ control: control.id, value: control.initial }];
    return control.kind === 'filter' ? [{ control: control.id, value: null }] : [];
  });
}

/**
 * Finds an option whose title equals the request: a granularity, a member, an option of a parent control or a value.
 */
function optionNamed(controls: readonly SettableControl[], rest: string): ControlProposal | null {
  const wanted = rest.toLowerCase();
  const named = controls.flatMap(({ control }) =>
    optionsOf(control)
      .filter(([title]) =>
        [title, `${control.title} ${title}`, `${control.title} to ${title}`].some(
          text => text.toLowerCase() === wanted,
        ),
      )
      .map(([, value]) => ({ control: control.id, value })),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Returns the titles and values that a control offers; empty if its options are read from the data. */
function optionsOf(control: Control): readonly (readonly [title: string, value: unknown])[] {
  switch (control.kind) {
    case 'grain':
      return control.values.map(value => [value, value]);
    case 'field':
      return control.members.map(({ member, title }) => [title ?? member, member]);
    case 'parent':
      return control.options.map(({ id, title }) => [title, id]);
    case 'filter':
      return (control.values ?? []).map(value => [String(value), { operator: 'equals', value: [value] }]);
  }
}

/** Maximum number of tiles whose queries are used to interpret a request. */
const maxBases = 3;

/**
 * Returns the queries of the tiles, one per view, without their conditions: all conditions must come from the request.
 */
function basesOf({ tiles }: AgentDashboard, turn: AgentTurn): PastTurn[] {
  const bases = new Map<string, PastTurn>();
  for (const tile of tiles) {
    const query: JsonObject | null = tile.query && {
      ...tile.query,
      filters: [],
      timeDimensions: withoutRanges(tile.query.timeDimensions),
    };
    const base = query && turnOfTile({ ...tile, query }, turn);
    const [member] = [query?.measures, query?.dimensions].flatMap(names => (Array.isArray(names) ? names : []));
    const view = String(member).split('.', 1)[0] ?? '';
    if (base && bases.size < maxBases && !bases.has(view)) bases.set(view, base);
  }
  return [...bases.values()];
}

function withoutRanges(times: unknown): unknown[] {
  return (Array.isArray(times) ? times : []).filter(isObject).map(({ dateRange: _range, ...time }) => time);
}

/** Converts the conditions of a reading to values of controls. If one of them has no control, rejects all of them. */
function valuesOf(reading: Reading, before: Reading, controls: readonly SettableControl[]): ControlAnswer {
  const values: ControlProposal[] = [];
  const missing: string[] = [];
  const add = (kind: string, { name, title }: { name: string; title: string }, value: unknown) => {
    const found = controls.find(
      ({ control }) => control.kind === kind && 'member' in control && control.member === name,
    );
    if (found && value !== null) values.push({ control: found.control.id, value });
    else missing.push(title);
  };
  for (const condition of reading.conditions) add('filter', condition.member, conditionFor(condition, controls));
  if (reading.time && reading.span) add('filter', reading.time, spanCondition(reading.span));
  if (reading.time && reading.grain !== null && reading.grain !== before.grain)
    add('grain', reading.time, reading.grain);
  const isOther = isChanged(reading, before);
  if (missing.length > 0) {
    const names = [...new Set(missing)].map(title => plainText(title, 100)).join(', ');
    return { refusal: `The dashboard has no control for ${names}. ${controlsText(controls)}` };
  }
  if (values.length > 0 && !isOther) return { values };
  return { refusal: `I can only set the controls of the dashboard. ${controlsText(controls)}` };
}

/** Whether the request names measures, dimensions or segments. No control can set these. */
function isChanged(reading: Reading, before: Reading): boolean {
  const namesOf = ({ measures, segments, dimensions }: Reading) =>
    JSON.stringify([measures, segments, dimensions].map(members => members.map(({ name }) => name)));
  return namesOf(reading) !== namesOf(before);
}

/** Converts a condition; `null` if dashboards have no such operator, or its member has no filter. */
function conditionFor(
  { member, operator, values }: Condition,
  controls: readonly SettableControl[],
): FilterCondition | null {
  const wanted = dashboardOperatorOf(operator);
  const filter = controls.find(({ control }) => control.kind === 'filter' && control.member === member.name);
  if (wanted === undefined || filter?.control.kind !== 'filter') return null;
  const isNumber = filter.type === 'number';
  const typed = values.map(value => (isNumber && value.trim() !== '' ? Number(value) : value));
  const [only, ...others] = typed;
  const isSingle = others.length === 0 && only !== undefined && wanted !== 'equals' && wanted !== 'not_equals';
  return { operator: wanted, ...(typed.length > 0 && { value: isSingle ? only : typed }) };
}

function spanCondition({ from, to }: DateSpan): FilterCondition | null {
  if (from !== null && to !== null) return { operator: 'between', value: [from, to] };
  if (from !== null) return { operator: 'greater_than_or_equal', value: from };
  return to === null ? null : { operator: 'less_than_or_equal', value: to };
}

function controlsText(controls: readonly SettableControl[]): string {
  return `Its controls are ${controls.map(({ control }) => plainText(control.title, 60)).join(', ')}.`;
}

/**
 * Returns why `setDashboardControls` failed. Returns `null` if it succeeded, because the dashboard then shows the
 * changes.
 */
export function controlProblem({ error }: JsonObject): string | null {
  return error === undefined ? null : `The controls could not be set: ${plainText(String(error), 400)}`;
}
