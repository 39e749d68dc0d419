import type { FilterCondition } from '../../contract/widget-config.js';

/**
 * The viewer's choices on a dashboard, without defaults. If a key is absent, the default applies. `null` is a choice
 * too, and clears the default.
 */
export interface DashboardState {
  /** Conditions by member (`view.dimension`). */
  readonly filters: Readonly<Record<string, FilterCondition | null>>;
  /** Granularities by time dimension. */
  readonly timeGrains: Readonly<Record<string, string | null>>;
  /** Replacement members by the member that they replace. */
  readonly members: Readonly<Record<string, string | null>>;
  /** Open tabs by container id. */
  readonly tabs: Readonly<Record<string, string>>;
}

/** The state without any choice. */
export const emptyDashboardState: DashboardState = { filters: {}, timeGrains: {}, members: {}, tabs: {} };
