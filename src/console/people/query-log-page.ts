import { listQueryLog } from '../../client/operations/usage.js';
import type { ListPage, PageTools } from './list-page.js';

/**
 * Returns the page with the requests to the Data API, newest first. A number in the search field selects slow requests,
 * any other text those of a user or tenant.
 */
export function queryLogPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'query-log',
    title: messages.queryLog,
    searchLabel: messages.searchRequests,
    columns: [
      messages.time,
      messages.operation,
      messages.status,
      messages.duration,
      messages.rows,
      messages.user,
      messages.tenant,
    ],
    create: null,
    async load({ search = '', ...page }, signal) {
      const query = { ...page, ...(/^\d+$/.test(search) ? { minMs: Number(search) } : search && { search }) };
      const { items, pageInfo } = await call(connection => listQueryLog(connection, query, { signal }));
      const rows = items.map(({ id, at, operation, status, outcome, totalMs, rows: count, ...who }) => ({
        id: String(id),
        name: operation,
        cells: [
          time(at),
          operation,
          `${status} ${outcome}`,
          totalMs.toFixed(1),
          String(count),
          who.username ?? '',
          who.embedTenantName ?? '',
        ],
        actions: [],
      }));
      return { items: rows, pageInfo };
    },
  };
}
