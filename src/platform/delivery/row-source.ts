import type { AiWidget } from '../../contract/ai-widgets.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { EmbedSessionSettings } from '../../contract/embed.js';
import type { RenderDashboardOptions } from '../../render/render-options.js';
import { resolveAiWidgets } from '../content/dashboards/resolve-ai-widgets.js';
import type { Db } from '../db/database.js';
import type { ReportData } from '../http/route-deps.js';
import { type AccountConfig, isAiAllowed } from '../settings/account-settings.js';

/**
 * Returns access to the rows of all reports with the permissions of one viewer: by query or SQL, and the model for
 * control values.
 */
export function rowSourceOf(data: ReportData): Pick<RenderDashboardOptions, 'load' | 'sql' | 'meta'> {
  return {
    load: async (query, request) => (await data.load(query, request)).rowSet,
    sql: (text, request) => data.sql(text, request),
    meta: async () => data.meta(),
  };
}

/**
 * Returns the answers pinned to a dashboard as the viewer sees them, without content if AI is disabled.
 * @param settings - the settings of the viewer's session; none by default.
 */
export function pinnedAnswers(
  db: Db,
  { deploymentId, config }: Pick<Dashboard, 'deploymentId' | 'config'>,
  {
    data,
    account,
    settings = {},
    signal,
  }: {
    readonly data: ReportData;
    readonly account: AccountConfig;
    readonly settings?: EmbedSessionSettings | undefined;
    readonly signal: AbortSignal;
  },
): Promise<AiWidget[]> {
  const viewer = isAiAllowed(settings, account) ? { data, signal } : null;
  return resolveAiWidgets(db, { deploymentId, widgets: config.widgets ?? [] }, viewer);
}
