import type { FilterCondition } from '../../contract/widget-config.js';
import type { Control, FieldControl, FilterControl, GrainControl } from './controls.js';
import type { DashboardState } from './dashboard-state.js';
import { isPhrase, operatorOf, valuesOf } from './filter-condition.js';
import { conditionOf } from './read-control.js';

/** The part of a dashboard's state that a URL contains. */
export interface UrlScope {
  /**
   * Prefix of each parameter name, followed by a period, if several dashboards share a page; empty if there is none.
   */
  readonly prefix: string;
  readonly controls: readonly Control[];
  /** Tab ids by container id. */
  readonly tabs: ReadonlyMap<string, readonly string[]>;
}

/** Maximum characters of the query string and of a value, and maximum number of parameters that are read. */
const limits = { query: 6000, value: 2000, parameters: 300 } as const;

/** A URL parameter: its name, and how it is read and written. */
interface Slot {
  readonly name: string;
  /** Applies the parameter to a state; returns `undefined` if it is invalid or not offered. */
  put(state: DashboardState, text: string): DashboardState | undefined;
  /** Returns the value of the parameter; `undefined` if nothing was chosen. */
  text(state: DashboardState): string | undefined;
}

/**
 * Reads the viewer's choices from a query string
 * (`?f_orders.status={"value":"shipped"}&tg_orders.date=week&ms_orders.state=city&tab_w1=w2`). Ignores parameters that
 * belong to no control of the dashboard, are invalid or are not offered. `null` for a filter, and an empty value for
 * other controls, clears the default.
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
 * Returns the query string with the viewer's choices, which replace earlier ones. Other parameters are retained
 * unchanged. Values that are too long for a URL are omitted.
 * @returns The query string with its leading `?`; empty if there are no parameters.
 */
export function writeUrlState(search: string, scope: UrlScope, state: DashboardState): string {
  const slots = slotsOf(scope);
  const names = new Set(slots.map(({ name }) => name));
  const pieces = piecesOf(search).filter(piece => !names.has(parameterOf(piece)[0]));
  let length = pieces.join('&').length;
  for (const slot of slots) {
    const text = slot.text(state);
    if (text === undefined || text.length > limits.value) continue;
    const piece = `${encode(slot.name)}=${encode(text)}`;
    if (length + piece.length + 1 > limits.query) continue;
    length += piece.length + 1;
    pieces.push(piece);
  }
  return pieces.length === 0 ? '' : `?${pieces.join('&')}`;
}

/**
 * Returns the parameters of a URL that hold the state of controls. Disabled controls are not read unless a parent
 * control sets them. If several controls have the same member, the first one counts.
 */
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

/** Writes a member of the same view without the view name; reads it with or without the view name. */
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

/** True if the viewer could choose this condition with the control. */
function isOffered({ operators, values, single }: FilterControl, condition: FilterCondition): boolean {
  const operator = operatorOf(condition);
  const chosen = valuesOf(condition);
  if (operators && !operators.some(known => known === operator)) return false;
  if (operator === 'custom') return chosen.every(value => typeof value === 'string' && isPhrase(value));
  if (single && (operator !== 'equals' || chosen.length > 1)) return false;
  if (!values || !/equals$/.test(operator) || operator.includes('_than_')) return true;
  return chosen.every(value => values.some(known => String(known) === String(value)));
}

/** Removes properties that have their default value. */
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
  return end < 0 ? [decode(piece), ''] : [decode(piece.slice(0, end)), decode(piece.slice(end + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // The text has an invalid escape sequence, so it was not written by `writeUrlState`.
    return text;
  }
}

/** Whether a URL can encode the text. It cannot encode lone surrogates. */
function isWritable(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}

/**
 * Encodes text for a query string. Keeps characters that need no escaping, such as colon and comma.
 */
function encode(text: string): string {
  // Browsers escape an apostrophe themselves.
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
