import { isDeepStrictEqual } from 'node:util';
import type { DashboardConfigInput } from '../../../contract/dashboard-input.js';
import type { JsonObject } from '../../../contract/wire.js';

/** An answer that an AI widget shows: its thread and its checksum, never its content. */
export interface PinnedAnswer {
  readonly threadId: string;
  /** `null` means the last answer of the thread; only in data of versions that did not use checksums. */
  readonly checksum: string | null;
}

/** The pinned answer of a widget, and the answer that it replaced. */
interface Pins {
  readonly current: PinnedAnswer | null;
  readonly previous: PinnedAnswer | null;
}

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];
/** The fields of a widget that identify it and its answer. */
type WidgetPart = { readonly type: string; readonly config?: JsonObject | null | undefined };

/** True for an AI widget. */
export const isAiWidget = ({ type }: Pick<WidgetPart, 'type'>): boolean => type === 'AI';

/** Returns the answer that is pinned to a widget, or `null`. */
export function pinnedAnswer({ config }: WidgetPart): PinnedAnswer | null {
  return readAnswer(config);
}

/**
 * Pins an answer to an AI widget; `null` restores the previous answer of the widget. Pinning the same answer again
 * changes nothing.
 */
export function pinAnswer(config: DashboardConfigInput, widgetId: string, answer: PinnedAnswer | null) {
  const change = (widget: Widget): Widget => {
    const { current, previous } = pinsOf(widget);
    if (answer === null) return withPins(widget, { current: previous, previous: null });
    return isDeepStrictEqual(answer, current) ? widget : withPins(widget, { current: answer, previous: current });
  };
  return mapWidgets(config, widget => (isAiWidget(widget) && widget.id === widgetId ? change(widget) : widget));
}

/**
 * Copies the answers of the published config to the AI widgets that did not change, and removes all other answers,
 * because only `updatePublishedDashboardAiWidgetThread` checks who owns the thread of an answer.
 */
export function carryOverAnswers(
  config: DashboardConfigInput,
  published: DashboardConfigInput | null,
): DashboardConfigInput {
  const before = new Map(published?.widgets?.map(widget => [widget.id, widget]));
  return mapWidgets(config, widget => {
    if (!isAiWidget(widget)) return widget;
    const former = before.get(widget.id);
    const isSame =
      former && isAiWidget(former) && isDeepStrictEqual(withoutPins(widget.config), withoutPins(former.config));
    return withPins(widget, isSame ? pinsOf(former) : { current: null, previous: null });
  });
}

function mapWidgets(config: DashboardConfigInput, change: (widget: Widget) => Widget): DashboardConfigInput {
  return config.widgets == null ? config : { ...config, widgets: config.widgets.map(change) };
}

function pinsOf({ config }: WidgetPart): Pins {
  return { current: readAnswer(config), previous: readAnswer(config?.previous) };
}

function readAnswer(value: unknown): PinnedAnswer | null {
  const { threadId, checksum }: JsonObject = Object(value);
  if (typeof threadId !== 'string') return null;
  return { threadId, checksum: typeof checksum === 'string' ? checksum : null };
}

function withPins(widget: Widget, { current, previous }: Pins): Widget {
  const { config } = widget;
  if (config == null && current === null) return widget;
  const pins = { ...(current && written(current)), ...(previous && { previous: written(previous) }) };
  return { ...widget, config: { ...withoutPins(config), ...pins } };
}

function written({ threadId, checksum }: PinnedAnswer): JsonObject {
  return { threadId, ...(checksum !== null && { checksum }) };
}

function withoutPins(config: JsonObject | null | undefined): JsonObject {
  const { threadId: _thread, checksum: _checksum, previous: _previous, ...rest } = config ?? {};
  return rest;
}
