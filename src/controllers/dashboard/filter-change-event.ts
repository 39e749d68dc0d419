import type { FilterCondition } from '../../contract/widget-config.js';
import type { DashboardState } from '../../report/controls/dashboard-state.js';

/** Detail of `pa-filter-change`. */
export interface PaFilterChangeDetail {
  /** Cause of the change: a control, selected marks, or a reset. */
  readonly cause: 'filter' | 'grain' | 'field' | 'parent' | 'mark' | 'reset';
  /** Id of the control's widget, or of the tile with the marks; `null` for a reset, and for marks of a chat. */
  readonly widgetId: string | null;
  /** The filtered, grouped or replaced member; `null` unless it is exactly one. */
  readonly member: string | null;
  /** The new value; `null` if cleared. */
  readonly value: FilterCondition | string | null;
  /** The viewer's choices after the change. */
  readonly state: DashboardState;
}

/** Fired before a choice of the viewer is applied. `preventDefault()` cancels the change. */
export class PaFilterChangeEvent extends Event {
  readonly detail: PaFilterChangeDetail;

  constructor(detail: PaFilterChangeDetail) {
    super('pa-filter-change', { bubbles: true, composed: true, cancelable: true });
    this.detail = detail;
  }
}

declare global {
  interface HTMLElementEventMap {
    'pa-filter-change': PaFilterChangeEvent;
  }
}
