import type { DashboardConfig, DashboardWidget } from '../../contract/dashboards.js';
import type { JsonObject } from '../../contract/wire.js';
import { freeId } from './edit-board.js';

/** Kinds of controls that users add. */
export const controlKinds = ['FILTER', 'TIME_GRAIN', 'FIELD', 'PARENT'] as const;
/** A kind of controls that users add. */
export type ControlKind = (typeof controlKinds)[number];

/** Maximum number of fields of a FIELD control, and of options of a PARENT control, that the platform accepts. */
export const maxControlChoices = 50;

/** A control that a user adds. */
export type NewControl = {
  /** Title of the control; empty to use the title of the member. */
  readonly title: string;
} & (
  | {
      /** A filter on a member, or the granularity of a time dimension. */
      readonly type: 'FILTER' | 'TIME_GRAIN';
      /** Name of the member: `view.dimension`. */
      readonly member: string;
    }
  | {
      /** Replaces a member with one of `members`. */
      readonly type: 'FIELD';
      readonly member: string;
      readonly members: readonly string[];
    }
  | {
      /** Sets the values of other controls. */
      readonly type: 'PARENT';
      readonly options: readonly ControlPreset[];
    }
);

/** An option of a PARENT control: a condition or a name for each control that it sets, by the id of the control. */
export interface ControlPreset {
  readonly id: string;
  readonly title: string;
  readonly controls: JsonObject;
}

/** Adds a control after the others. */
export function addControl(config: DashboardConfig, control: NewControl): DashboardConfig {
  const widgets = config.widgets ?? [];
  // Only the order of their positions matters, because controls are shown in a bar above the grid.
  const x = Math.max(-1, ...widgets.filter(isControl).map(({ position }) => position.x)) + 1;
  const widget = { id: freeId(config), position: { x, y: 0, w: 3, h: 1 }, ...contentOf(control, {}) };
  return { ...config, widgets: [...widgets, widget] };
}

/**
 * Changes a control. If its field changes, settings that depend on the field are dropped, such as the default value. If
 * its kind changes, references to the control are dropped.
 */
export function changeControl(config: DashboardConfig, id: string, control: NewControl): DashboardConfig {
  const before = config.widgets?.find(widget => widget.id === id);
  const widgets = (config.widgets ?? []).map(widget => {
    if (widget.id !== id) return widget;
    const isSame =
      widget.type === control.type && (control.type === 'PARENT' || widget.config?.member === control.member);
    return { ...widget, ...contentOf(control, isSame ? (widget.config ?? {}) : {}) };
  });
  if (before === undefined) return { ...config, widgets };
  const isOtherKind = before.type !== control.type;
  const isOtherMember = control.type !== 'PARENT' && before.config?.member !== control.member;
  if (isOtherKind) return { ...config, widgets: widgets.map(widget => withoutReferences(widget, id)) };
  // Values of presets belong to the former field.
  return { ...config, widgets: isOtherMember ? widgets.map(widget => withoutPresetValue(widget, id)) : widgets };
}

/** Removes a control and the references to it, because the platform rejects drafts that refer to missing controls. */
export function removeControl(config: DashboardConfig, id: string): DashboardConfig {
  const widgets = (config.widgets ?? []).filter(widget => widget.id !== id);
  return { ...config, widgets: widgets.map(widget => withoutReferences(widget, id)) };
}

/** Reads the options of a PARENT control. Options that cannot be read are omitted. */
export function controlPresets({ config }: DashboardWidget): readonly ControlPreset[] {
  if (!Array.isArray(config?.options)) return [];
  return config.options.flatMap((option): ControlPreset[] => {
    if (!isObject(option) || typeof option.id !== 'string') return [];
    const { id, title, controls } = option;
    return [{ id, title: typeof title === 'string' ? title : id, controls: isObject(controls) ? controls : {} }];
  });
}

/** Reads the members by which a FIELD control replaces its member. */
export function fieldMembers({ config }: DashboardWidget): readonly string[] {
  if (!Array.isArray(config?.members)) return [];
  return config.members.flatMap(item => {
    const name = isObject(item) ? item.member : item;
    return typeof name === 'string' ? [name] : [];
  });
}

/** Removes a control from the mapping of a chart and from the options of a PARENT control. */
function withoutReferences(widget: DashboardWidget, id: string): DashboardWidget {
  const { type, config } = widget;
  if (type === 'CHART' && isObject(config?.controls) && Object.hasOwn(config.controls, id)) {
    return { ...widget, config: { ...config, controls: without(config.controls, id) } };
  }
  return withoutPresetValue(widget, id);
}

/** Removes the value of a control from the options of a PARENT control. */
function withoutPresetValue(widget: DashboardWidget, id: string): DashboardWidget {
  const { type, config } = widget;
  if (type !== 'PARENT' || !config || !Array.isArray(config.options)) return widget;
  const options = config.options.map(option =>
    isObject(option) && isObject(option.controls) ? { ...option, controls: without(option.controls, id) } : option,
  );
  return { ...widget, config: { ...config, options } };
}

function without(controls: JsonObject, id: string): JsonObject {
  return Object.fromEntries(Object.entries(controls).filter(([name]) => name !== id));
}

function isControl({ type }: { readonly type: string }): boolean {
  return controlKinds.some(kind => kind === type);
}

function contentOf(control: NewControl, { title: _, ...settings }: JsonObject) {
  const { type, title } = control;
  const head = { ...(title && { title }) };
  if (type === 'PARENT') {
    const { options } = control;
    const { value, ...others } = settings;
    const hasValue = options.some(({ id }) => id === value);
    const before = Array.isArray(settings.options) ? settings.options.filter(isObject) : [];
    const kept = options.map(
      ({ id, title: name, controls }): JsonObject => ({
        ...before.find(option => option.id === id),
        id,
        title: name,
        controls,
      }),
    );
    return { type, config: { ...others, options: kept, ...(hasValue && { value }), ...head } };
  }
  const { member } = control;
  if (type !== 'FIELD') return { type, config: { ...settings, member, ...head } };
  const { value, ...others } = settings;
  const hasValue = value === member || control.members.some(name => name === value);
  const members = keptMembers(settings, control.members);
  return { type, config: { ...others, member, members, ...(hasValue && { value }), ...head } };
}

/** Returns the members of a FIELD control, with the titles that the author has set. */
function keptMembers({ members }: JsonObject, names: readonly string[]) {
  const before = Array.isArray(members) ? members : [];
  return names.map(name => before.find(item => isObject(item) && item.member === name) ?? name);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
