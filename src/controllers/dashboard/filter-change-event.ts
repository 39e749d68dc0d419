import type { FilterCondition } from '../../contract/widget-config.js';
import type { DashboardState } from '../../report/controls/dashboard-state.js';

/** What `pa-filter-change` tells. */
export interface PaFilterChangeDetail {
  /** What changes: by a control, by marks that were chosen, or all of it by a reset. */
  readonly cause: 'filter' | 'grain' | 'field' | 'parent' | 'mark' | 'reset';
  /** Id of the control's widget, or of the tile whose marks were chosen; null of a reset. */
  readonly widgetId: string | null;
  /** The member that is filtered, grouped or replaced; null where it is not one. */
  readonly member: string | null;
  /** What is chosen; null for nothing. */
  readonly value: FilterCondition | string | null;
  /** What the viewer will have chosen after it. */
  readonly state: DashboardState;
}

/** The viewer changes what is chosen; `preventDefault()` leaves all as it is. */
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
