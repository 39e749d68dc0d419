import type { DashboardControlsResult } from '../../../controllers/chat/chat-result.js';
import type { PaDashboard } from '../../dashboard/dashboard-element.js';
import type { ContextMessages } from './context-messages.js';

type State = ReturnType<PaDashboard['getState']>;
const groups = ['filters', 'timeGrains', 'members'] as const;

/** Status of a change. `refused` means that the change includes a filter that the host has locked. */
export type ControlChangeStatus = 'applied' | 'undone' | 'refused';

/** Returns the changes as localized sentences. */
export function changeSentences(
  { changes }: Pick<DashboardControlsResult, 'changes'>,
  messages: Pick<ContextMessages, 'set' | 'cleared'>,
): readonly string[] {
  return changes.map(({ title, value }) => (value === null ? messages.cleared(title) : messages.set(title, value)));
}

/** One change that an agent made to the controls of a dashboard. */
export class ControlChange {
  /** The changed controls by title. */
  readonly changes: DashboardControlsResult['changes'];
  readonly #dashboard: PaDashboard;
  readonly #state: DashboardControlsResult['state'];
  readonly #former: State;
  #status: ControlChangeStatus;

  /** Applies the values to the dashboard, unless the host has locked one of their filters. */
  constructor(dashboard: PaDashboard, { state, changes }: DashboardControlsResult) {
    this.changes = changes;
    this.#dashboard = dashboard;
    this.#state = state;
    this.#former = dashboard.getState();
    const isLocked = Object.keys(dashboard.lockedFilters ?? {}).some(member => Object.hasOwn(state.filters, member));
    this.#status = isLocked ? 'refused' : 'applied';
    if (isLocked) return;
    const { filters, timeGrains, members } = this.#former;
    dashboard.setState({
      filters: { ...filters, ...state.filters },
      timeGrains: { ...timeGrains, ...state.timeGrains },
      members: { ...members, ...state.members },
    });
  }

  get status(): ControlChangeStatus {
    return this.#status;
  }

  /** Restores the former values of the controls that were set. Keeps later changes to other controls. */
  undo(): void {
    if (this.#status !== 'applied') return;
    this.#status = 'undone';
    const current = this.#dashboard.getState();
    this.#dashboard.setState(
      Object.fromEntries(
        groups.map(group => [group, restored(current[group], this.#former[group], this.#state[group])]),
      ),
    );
  }
}

function restored(current: object, former: object, set: object): Record<string, unknown> {
  const kept = Object.entries(current).filter(([member]) => !Object.hasOwn(set, member));
  const before = Object.entries(former).filter(([member]) => Object.hasOwn(set, member));
  return Object.fromEntries([...kept, ...before]);
}

/** Identifies a step. The id of a step is unique only within its thread. */
export interface StepPlace {
  /** Number of the thread, as in `ChatController.thread`. */
  readonly thread: number;
  readonly stepId: string;
}

/** Maximum number of changes that can be undone. */
const maxChanges = 100;

/** The changes of one chat by step. Each step is applied once. */
export class ControlChanges {
  readonly #changes = new Map<string, ControlChange>();

  /** Applies the result of a step, unless it was applied before or belongs to another dashboard. */
  apply(place: StepPlace, result: DashboardControlsResult | null, dashboard: PaDashboard): void {
    const key = keyOf(place);
    if (this.#changes.has(key) || result?.dashboardPublicId !== dashboard.publicId) return;
    this.#changes.set(key, new ControlChange(dashboard, result));
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > maxChanges && oldest !== undefined) this.#changes.delete(oldest);
  }

  /** Returns the change that a step made; `null` if it made none on this page. */
  of(place: StepPlace): ControlChange | null {
    return this.#changes.get(keyOf(place)) ?? null;
  }
}

function keyOf({ thread, stepId }: StepPlace): string {
  return `${thread} ${stepId}`;
}
