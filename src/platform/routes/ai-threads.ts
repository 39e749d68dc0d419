import { isDeepStrictEqual } from 'node:util';
import type { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { JsonObject } from '../../contract/wire.js';

/** The chat thread whose answer an AI widget shows, and what tells whether it still answers what the widget asks. */
export interface WidgetThread {
  readonly threadId: string;
  readonly checksum?: string | null | undefined;
}

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];

/** A config in which an AI widget shows a thread; null when it has no AI widget of this id. */
export function attachThread(
  config: DashboardConfigInput,
  widgetId: string,
  thread: WidgetThread,
): DashboardConfigInput | null {
  const widgets = config.widgets ?? [];
  if (!widgets.some(widget => isAi(widget) && widget.id === widgetId)) return null;
  return { ...config, widgets: widgets.map(each => (each.id === widgetId ? withThread(each, thread) : each)) };
}

/**
 * A config about to be published, in which AI widgets that stayed as they were keep the threads that were attached to them since: a
 * draft knows nothing of those.
 */
export function keepThreads(config: DashboardConfigInput, published: DashboardConfigInput): DashboardConfigInput {
  if (config.widgets == null) return config;
  const before = new Map(published.widgets?.map(widget => [widget.id, widget]));
  return { ...config, widgets: config.widgets.map(widget => keepThread(widget, before.get(widget.id))) };
}

function keepThread(widget: Widget, before: Widget | undefined): Widget {
  if (!isAi(widget) || !before || !isAi(before) || widget.config?.threadId != null) return widget;
  const { threadId, checksum } = before.config ?? {};
  if (typeof threadId !== 'string') return widget;
  if (!isDeepStrictEqual(withoutThread(widget.config), withoutThread(before.config))) return widget;
  return withThread(widget, { threadId, checksum: typeof checksum === 'string' ? checksum : null });
}

function isAi({ type }: Widget): boolean {
  return type === 'AI';
}

function withThread(widget: Widget, { threadId, checksum }: WidgetThread): Widget {
  return { ...widget, config: { ...withoutThread(widget.config), threadId, ...(checksum != null && { checksum }) } };
}

function withoutThread(config: JsonObject | null | undefined): JsonObject {
  const { threadId: _thread, checksum: _checksum, ...rest } = config ?? {};
  return rest;
}
