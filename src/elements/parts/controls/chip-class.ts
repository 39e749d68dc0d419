import type { ControlState } from '../../../report/state.js';

/** Classes of a control's chip: whether something is in force, whether the viewer chose it, and whether it can't be changed. */
export function standingClass({ by, fixed }: ControlState, isFilled: boolean): string {
  return [isFilled && 'filled', isFilled && by === 'viewer' && 'chosen', fixed && 'fixed'].filter(Boolean).join(' ');
}
