import type { FilterCondition } from '../../../contract/widget-config.js';
import type { Control } from '../../../report/controls/controls.js';

/** Callbacks of the controls; implemented by the owner of the choices. */
export interface ControlActions {
  /** Sets the value of a control. Returns false if the host prevents it. */
  choose(control: Control, value: FilterCondition | string | null): boolean;
  /** Sets the filters that come from the marks of a tile. An empty list clears them. */
  chooseMarks(widgetId: string, filters: readonly []): boolean;
  reset(): boolean;
  /** Requests the metadata of members. */
  wantModel(): void;
}
