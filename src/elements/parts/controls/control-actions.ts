import type { FilterCondition } from '../../../contract/widget-config.js';
import type { Control } from '../../../report/controls/controls.js';

/** What controls ask of whoever keeps what is chosen. */
export interface ControlActions {
  /** False where the host would not have it. */
  choose(control: Control, value: FilterCondition | string | null): boolean;
  /** Marks of a tile that filter the others; none takes back what was chosen there. */
  chooseMarks(widgetId: string, filters: readonly []): boolean;
  reset(): boolean;
  /** Somebody needs to know what the model says of members. */
  wantModel(): void;
}
