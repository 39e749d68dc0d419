import type { FilterCondition } from '../../contract/widget-config.js';
import type { Control, FieldControl, FilterControl, GrainControl } from './controls.js';
import type { DashboardState } from './dashboard-state.js';
import { isPhrase, operatorOf, valuesOf } from './filter-condition.js';
import { conditionOf } from './read-control.js';

/** What of a dashboard can stand in an address. */
export interface UrlScope {
  /** Stands before each name, with a full stop, where several dashboards share a page; empty for none. */
  readonly prefix: string;
  readonly controls: readonly Control[];
  /** Tabs, by the id of their container. */
  readonly tabs: ReadonlyMap<string, readonly string[]>;
}

/** Most characters of a query string and of a value, and parameters that are looked at. */
const limits = { query: 6000, value: 2000, parameters: 300 } as const;

/** One parameter: what it stands for in the state, and how its value is read and written. */
interface Slot {
  readonly name: string;
  /** Undefined for what can't be understood, or is not offered. */
  put(state: DashboardState, text: string): DashboardState | undefined;
  /** Undefined where nothing was chosen. */
  text(state: DashboardState): string | undefined;
}

/**
 * What the viewer has chosen by a query string (`?f_orders.status={"value":"shipped"}&tg_orders.date=week&ms_orders.state=city&tab_w1=w2`).
 * What names no control of the dashboard, can't be understood or is not offered is passed over. `null` of a filter, and nothing of
 * the others, stands for nothing in the place of the default.
 */
export function readUrlState(search: string, scope: UrlScope, state: DashboardState): DashboardState {
  const found = new Map<string, string>();
  for (const piece of piecesOf(search).slice(0, limits.parameters)) {
    const [name, value] = parameterOf(piece);
    if (value.length <= limits.value && !found.has(name)) found.set(name, value);
  }
  return slotsOf(scope).reduce((read, slot) => {
    const text = found.get(slot.name);
    return (text === undefined ? undefined : slot.put(read, text)) ?? read;
  }, state);
}

/**
 * A query string with what the viewer has chosen in the place of what it said of it before. Parameters of others stay as they are, to
 * the letter. What is too long for an address is left out.
 * @returns with its `?`; empty where nothing is left.
 */
export function writeUrlState(search: string, scope: UrlScope, state: DashboardState): string {
  const slots = slotsOf(scope);
  const names = new Set(slots.map(({ name }) => name));
  const pieces = piecesOf(search).filter(piece => !names.has(parameterOf(piece)[0]));
  let length = pieces.join('&').length;
  for (const slot of slots) {
    const text = slot.text(state);
    if (text === undefined || text.length > limits.value) continue;
    const piece = `${encoded(slot.name)}=${encoded(text)}`;
    if (length + piece.length + 1 > limits.query) continue;
    length += piece.length + 1;
    pieces.push(piece);
  }
  return pieces.length === 0 ? '' : `?${pieces.join('&')}`;
}

/** What can't be changed is not read from an address, unless a parent drives it. Of several controls of a member the first counts. */
function slotsOf({ prefix, controls, tabs }: UrlScope): readonly Slot[] {
  const driven = new Set(
    controls.flatMap(control =>
      control.kind === 'parent' && control.visibility !== 'disabled'
        ? control.options.flatMap(option => [...option.controls.keys()])
        : [],
    ),
  );
  const open = controls.filter(({ id, visibility }) => visibility !== 'disabled' || driven.has(id));
  const slots = [
    ...open.flatMap(control => slotOf(control) ?? []),
    ...[...tabs].map(([id, ids]) => tabSlot(id, ids.filter(isWritable))),
  ];
  const named = new Map<string, Slot>();
  for (const slot of slots.filter(({ name }) => isWritable(name))) {
    const name = prefix === '' ? slot.name : `${prefix}.${slot.name}`;
    if (!named.has(name)) named.set(name, { ...slot, name });
  }
  return [...named.values()];
}

function slotOf(control: Control): Slot | null {
  switch (control.kind) {
    case 'filter':
      return filterSlot(control);
    case 'grain':
      return grainSlot(control);
    case 'field':
      return fieldSlot(control);
    case 'parent':
      return null;
  }
}

function filterSlot(control: FilterControl): Slot {
  const { member } = control;
  return {
    name: `f_${member}`,
    put(state, text) {
      const condition = readCondition(control, text);
      return condition === undefined ? undefined : { ...state, filters: { ...state.filters, [member]: condition } };
    },
    text({ filters }) {
      const condition = filters[member];
      return condition === undefined ? undefined : JSON.stringify(condition && plain(condition));
    },
  };
}

function grainSlot({ member, values }: GrainControl): Slot {
  return {
    name: `tg_${member}`,
    put(state, text) {
      if (text !== '' && !values.includes(text)) return undefined;
      return { ...state, timeGrains: { ...state.timeGrains, [member]: text === '' ? null : text } };
    },
    text: ({ timeGrains }) => (timeGrains[member] === undefined ? undefined : (timeGrains[member] ?? '')),
  };
}

/** A member of the same view is written without its view, and read with it or without. */
function fieldSlot({ member, members }: FieldControl): Slot {
  const view = member.slice(0, member.indexOf('.') + 1);
  return {
    name: `ms_${member}`,
    put(state, text) {
      const selected = members.find(option => option.member === text || option.member === `${view}${text}`)?.member;
      if (text !== '' && selected === undefined) return undefined;
      return { ...state, members: { ...state.members, [member]: selected ?? null } };
    },
    text({ members: chosen }) {
      const selected = chosen[member];
      if (selected === undefined || selected === null) return selected === null ? '' : undefined;
      return selected.startsWith(view) ? selected.slice(view.length) : selected;
    },
  };
}

function tabSlot(id: string, ids: readonly string[]): Slot {
  return {
    name: `tab_${id}`,
    put: (state, text) => (ids.includes(text) ? { ...state, tabs: { ...state.tabs, [id]: text } } : undefined),
    text: ({ tabs }) => (Object.hasOwn(tabs, id) ? tabs[id] : undefined),
  };
}

function readCondition(control: FilterControl, text: string): FilterCondition | null | undefined {
  const parsed = parse(text);
  if (parsed === null) return null;
  const condition = conditionOf(parsed);
  return condition && isOffered(control, condition) ? plain(condition) : undefined;
}

/** Whether a viewer could have chosen a condition by the control. */
function isOffered({ operators, values, single }: FilterControl, condition: FilterCondition): boolean {
  const operator = operatorOf(condition);
  const chosen = valuesOf(condition);
  if (operators && !operators.some(known => known === operator)) return false;
  if (operator === 'custom') return chosen.every(value => typeof value === 'string' && isPhrase(value));
  if (single && (operator !== 'equals' || chosen.length > 1)) return false;
  if (!values || !/equals$/.test(operator) || operator.includes('_than_')) return true;
  return chosen.every(value => values.some(known => String(known) === String(value)));
}

/** What is the same by default is not said. */
function plain(condition: FilterCondition): FilterCondition {
  const { operator, value, startInclusive, endInclusive, caseSensitive } = condition;
  return {
    ...(operator && operator !== 'equals' && { operator }),
    ...(value !== undefined && { value }),
    ...(startInclusive === false && { startInclusive }),
    ...(endInclusive === false && { endInclusive }),
    ...(typeof caseSensitive === 'boolean' && { caseSensitive }),
  };
}

function piecesOf(search: string): readonly string[] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter(piece => piece !== '');
}

function parameterOf(piece: string): readonly [name: string, value: string] {
  const end = piece.indexOf('=');
  return end < 0 ? [decoded(piece), ''] : [decoded(piece.slice(0, end)), decoded(piece.slice(end + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Not of our making.
    return text;
  }
}

/** Half of a pair of surrogates can't be written in an address. */
function isWritable(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}

/** What can be read stays readable: a colon or a comma needs no escape in a query string. */
function encoded(text: string): string {
  // A browser escapes an apostrophe by itself.
  return encodeURIComponent(text)
    .replaceAll("'", '%27')
    .replace(/%(3A|2C|2F|40|24)/g, escaped => decodeURIComponent(escaped));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
