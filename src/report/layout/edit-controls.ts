import type { DashboardConfig } from '../../contract/dashboards.js';
import { freeId } from './edit-board.js';

/** Kinds of controls that users add. */
export const controlKinds = ['FILTER', 'TIME_GRAIN'] as const;
/** A kind of controls that users add. */
export type ControlKind = (typeof controlKinds)[number];

/** A control that a user adds: a filter on a member, or the granularity of a time dimension. */
export interface NewControl {
  readonly type: ControlKind;
  /** Name of the member: `view.dimension`. */
  readonly member: string;
  /** Title of the control; empty to use the title of the member. */
  readonly title: string;
}

/** Adds a control after the others. */
export function addControl(config: DashboardConfig, control: NewControl): DashboardConfig {
  const widgets = config.widgets ?? [];
  // Only the order of their positions matters: controls are shown in a bar above the grid.
  const x = Math.max(-1, ...widgets.filter(isControl).map(({ position }) => position.x)) + 1;
  const widget = { id: freeId(config), position: { x, y: 0, w: 3, h: 1 }, ...contentOf(control, {}) };
  return { ...config, widgets: [...widgets, widget] };
}

/** Changes a control. Settings of another field are dropped, such as its default value. */
export function changeControl(config: DashboardConfig, id: string, control: NewControl): DashboardConfig {
  const widgets = (config.widgets ?? []).map(widget => {
    if (widget.id !== id) return widget;
    const isSame = widget.type === control.type && widget.config?.member === control.member;
    return { ...widget, ...contentOf(control, isSame ? (widget.config ?? {}) : {}) };
  });
  return { ...config, widgets };
}

/** Removes a control. */
export function removeControl(config: DashboardConfig, id: string): DashboardConfig {
  return { ...config, widgets: (config.widgets ?? []).filter(widget => widget.id !== id) };
}

function isControl({ type }: { readonly type: string }): boolean {
  return ['FILTER', 'TIME_GRAIN', 'FIELD', 'PARENT'].includes(type);
}

function contentOf({ type, member, title }: NewControl, { title: _, ...settings }: Readonly<Record<string, unknown>>) {
  return { type, config: { ...settings, member, ...(title && { title }) } };
}
