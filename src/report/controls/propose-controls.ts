import type { FilterCondition } from '../../contract/widget-config.js';
import { withControlValue } from './control-state.js';
import type { Control, FilterControl } from './controls.js';
import { type DashboardState, emptyDashboardState } from './dashboard-state.js';
import { conditionFilters, type MemberType, operatorOf } from './filter-condition.js';
import type { ModelFacts } from './model-facts.js';
import { conditionOf } from './read-control.js';

/** A control that an agent can set, because it is visible and enabled and the viewer can see its member. */
export interface SettableControl {
  readonly control: Control;
  /** Type of the control's member; `null` for a control without a member. */
  readonly type: MemberType | null;
  /** All controls of the dashboard, which a parent control can set. */
  readonly all: readonly Control[];
}

/** A proposed value of a control: a condition, granularity, member or option id; `null` clears the control. */
export interface ControlProposal {
  /** Widget id of the control. */
  readonly control: string;
  readonly value: unknown;
}

/** A proposed change with its title and value as text; `value` is `null` if the control is cleared. */
export interface ProposedChange {
  readonly title: string;
  readonly value: string | null;
}

/** The state to set and its description, or the reason why a proposal is rejected. */
export type Proposed =
  | { readonly state: Omit<DashboardState, 'tabs'>; readonly changes: readonly ProposedChange[] }
  | { readonly problem: string };

const maxListedValues = 20;

/** Returns the controls of a dashboard that an agent can set. */
export function settableControls(controls: readonly Control[], facts: ModelFacts): readonly SettableControl[] {
  return controls.flatMap((control): SettableControl[] => {
    if (control.visibility !== 'visible') return [];
    if (control.kind === 'parent') return [{ control, type: null, all: controls }];
    const type = facts.get(control.member)?.type;
    return type === undefined ? [] : [{ control, type, all: controls }];
  });
}

/** Describes a control to a language model: its id, title and possible values. */
export function describeControl({ control, type }: SettableControl): Readonly<Record<string, unknown>> {
  const { id, title, kind } = control;
  switch (control.kind) {
    case 'filter': {
      const { member, operators, single } = control;
      const values = control.values?.slice(0, maxListedValues);
      return { id, title, kind, member, type, ...(values && { values }), ...(operators && { operators }), single };
    }
    case 'grain':
      return { id, title, kind, member: control.member, values: control.values };
    case 'field':
      return { id, title, kind, values: control.members };
    case 'parent':
      return { id, title, kind, values: control.options.map(option => ({ id: option.id, title: option.title })) };
  }
}

/** Validates proposed values against the controls of a published dashboard. Rejects all of them if one is invalid. */
export function proposeControls(settable: readonly SettableControl[], proposals: readonly ControlProposal[]): Proposed {
  let state = emptyDashboardState;
  const changes: ProposedChange[] = [];
  for (const { control: id, value } of proposals) {
    const found = settable.find(({ control }) => control.id === id);
    if (!found) return { problem: `There is no control ${JSON.stringify(id.slice(0, 100))} that can be set.` };
    const { control, all } = found;
    const read = readValue(found, value);
    if ('problem' in read) return { problem: `${control.title}: ${read.problem}` };
    state = withControlValue(state, all, control, read.value);
    changes.push({ title: control.title, value: read.text });
  }
  const { filters, timeGrains, members } = state;
  return { state: { filters, timeGrains, members }, changes };
}

type ReadValue =
  | { readonly value: FilterCondition | string | null; readonly text: string | null }
  | { readonly problem: string };

function readValue({ control, type }: SettableControl, value: unknown): ReadValue {
  if (value === null) {
    return control.kind === 'parent' ? { problem: 'cannot be cleared.' } : { value: null, text: null };
  }
  switch (control.kind) {
    case 'filter':
      return readCondition(control, type, value);
    case 'grain':
      return readOption(
        control.values.map(grain => ({ id: grain, title: grain })),
        value,
      );
    case 'field':
      return readOption(
        control.members.map(({ member, title }) => ({ id: member, title: title ?? member })),
        value,
      );
    case 'parent':
      return readOption(control.options, value);
  }
}

function readOption(options: readonly { readonly id: string; readonly title: string }[], value: unknown): ReadValue {
  const option = options.find(({ id }) => id === value);
  if (option) return { value: option.id, text: option.title };
  return { problem: `the value must be one of ${options.map(({ id }) => id).join(', ')}, or null.` };
}

function readCondition(control: FilterControl, type: MemberType | null, given: unknown): ReadValue {
  const condition = conditionOf(given);
  if (!condition) return { problem: 'the value must be a condition with an operator and a value.' };
  const { operators, values, single } = control;
  const operator = operatorOf(condition);
  if (operators && !operators.some(allowed => allowed === operator)) {
    return { problem: `the operator must be one of ${operators.join(', ')}.` };
  }
  if ('problem' in conditionFilters(control.member, condition, type)) {
    return { problem: `the ${operator} condition does not fit a member of type ${type ?? 'string'}.` };
  }
  const named = [condition.value ?? []].flat();
  if (single && (operator !== 'equals' || named.length > 1)) return { problem: 'only one value can be selected.' };
  const isListed = operator === 'equals' || operator === 'not_equals';
  if (isListed && values && !named.every(value => values.some(known => known === value))) {
    return { problem: `the values must be among ${values.slice(0, maxListedValues).join(', ')}.` };
  }
  return { value: condition, text: conditionText(operator, named) };
}

const signs: Readonly<Record<string, string>> = {
  equals: '',
  custom: '',
  not_equals: '≠ ',
  greater_than: '> ',
  greater_than_or_equal: '≥ ',
  less_than: '< ',
  less_than_or_equal: '≤ ',
};

function conditionText(operator: string, values: readonly unknown[]): string {
  if (operator === 'between') return values.join(' – ');
  return `${signs[operator] ?? `${operator.replaceAll('_', ' ')} `}${values.map(value => value ?? '∅').join(', ')}`;
}
