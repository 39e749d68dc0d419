/** A widget of a dashboard to which an answer can be pinned. */
export interface PinWidget {
  readonly id: string;
  readonly title: string;
  /** Whether it already shows an answer. A new answer replaces it. */
  readonly isTaken: boolean;
}

/** A dashboard to which the viewer may pin answers. */
export interface PinTarget {
  readonly widgets: readonly PinWidget[];
  /** Pins an answer of a thread. Rejects with PaError. */
  pin(widgetId: string, answer: { readonly threadId: string; readonly checksum: string }): Promise<void>;
  /** Restores the content that the widget had before this answer. Rejects with PaError. */
  undo(widgetId: string, checksum: string): Promise<void>;
}

/** A registered symbol, so that all copies of this package on a page share it. */
const key = Symbol.for('pa-embed/pin-target');

interface PinSlot {
  target: PinTarget | null;
  readonly listeners: Set<() => void>;
}

type Marked = Element & { [key]?: PinSlot };

function slotOf(dashboard: Element): PinSlot {
  const marked: Marked = dashboard;
  marked[key] ??= { target: null, listeners: new Set() };
  return marked[key];
}

/** Registers the target with which chats pin answers to a dashboard; `null` if the viewer may not pin any. */
export function setPinTarget(dashboard: Element, target: PinTarget | null): void {
  const slot = slotOf(dashboard);
  if (slot.target === target) return;
  slot.target = target;
  for (const listener of slot.listeners) listener();
}

/** Returns the dashboard as a target for answers; `null` if the viewer may not pin any. */
export function pinTargetOf(dashboard: Element): PinTarget | null {
  return slotOf(dashboard).target;
}

/** Calls `listener` when the target of a dashboard changes. Returns a function that unsubscribes it. */
export function watchPinTarget(dashboard: Element, listener: () => void): () => void {
  const { listeners } = slotOf(dashboard);
  listeners.add(listener);
  return () => listeners.delete(listener);
}
