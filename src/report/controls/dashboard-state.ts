import type { FilterCondition } from '../../contract/widget-config.js';

/**
 * What the viewer has chosen on a dashboard, and nothing that stands there by default. A name that is absent was not chosen: the default
 * holds. Null is a choice too: nothing, in the place of the default.
 */
export interface DashboardState {
  /** Conditions, by the member that they are on (`view.dimension`). */
  readonly filters: Readonly<Record<string, FilterCondition | null>>;
  /** Granularities, by their time dimension. */
  readonly timeGrains: Readonly<Record<string, string | null>>;
  /** Members that stand in the place of another, by the one that they replace. */
  readonly members: Readonly<Record<string, string | null>>;
  /** Tabs that are open, by the id of the container. */
  readonly tabs: Readonly<Record<string, string>>;
}

/** Nothing was chosen. */
export const emptyDashboardState: DashboardState = { filters: {}, timeGrains: {}, members: {}, tabs: {} };
