import type { DashboardStateController } from '../../../controllers/dashboard/dashboard-state-controller.js';
import type { Mark } from '../../../report/marks/mark.js';
import { choiceOfMarks } from '../../../report/marks/mark-filters.js';
import { applicableMarks, columnsKey, type MarkSelection } from './mark-selection.js';
import type { MarkRows } from './tile-hosting.js';

/** Marks that the viewer picked, in addition to or instead of the previously selected marks. */
interface PickedMarks extends MarkRows {
  readonly before: MarkSelection;
  readonly picked: readonly Mark[];
  readonly how: 'add' | 'replace';
}

/** Filters tiles by marks. Returns the new selection; `null` if nothing changes or the host canceled the change. */
export function chooseMarks(
  stateController: DashboardStateController,
  { source, request, data, before, picked, how }: PickedMarks,
): MarkSelection | null {
  const chosen = { request, rowSet: data.rowSet, marks: applicableMarks(request, before) };
  const { marks, filters } = choiceOfMarks(chosen, picked, how);
  if (marks.length === 0 && before.marks.length === 0) return null;
  return stateController.chooseMarks(source, filters) ? { marks, columns: columnsKey(request) } : null;
}
