import type { DashboardControlsResult } from '../../contract/chat.js';
import { isRecord } from '../http/fetch.js';

const maxChanges = 20;
const maxTextLength = 300;

/**
 * Reads the result of `setDashboardControls`; `null` for any other value. Does not validate the values to set:
 * `setState()` of the dashboard does so.
 */
export function readControlsResult(result: unknown): DashboardControlsResult | null {
  if (!isRecord(result) || !isRecord(result.state) || !Array.isArray(result.changes)) return null;
  const { filters, timeGrains, members } = result.state;
  if (typeof result.dashboardPublicId !== 'string') return null;
  return {
    dashboardPublicId: result.dashboardPublicId,
    state: { filters: groupOf(filters), timeGrains: groupOf(timeGrains), members: groupOf(members) },
    changes: result.changes.slice(0, maxChanges).flatMap((change: unknown) => {
      if (!isRecord(change) || typeof change.title !== 'string') return [];
      const value = typeof change.value === 'string' ? change.value.slice(0, maxTextLength) : null;
      return [{ title: change.title.slice(0, maxTextLength), value }];
    }),
  };
}

function groupOf<T>(value: unknown): Readonly<Record<string, T>> {
  return isRecord(value) ? (value as Record<string, T>) : {};
}
