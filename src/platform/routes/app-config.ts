import type { Hono } from 'hono';
import { type AppConfig, getAppConfig } from '../../contract/app-config.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';

/**
 * No operation changes these yet, so they are the defaults of every account. A null leaves the choice to the session or the page.
 */
export const accountConfig: AppConfig = {
  appTheme: null,
  applyThemeGlobally: false,
  creatorMode: {
    showGeneratedSql: true,
    showSemanticSql: true,
    showWorkspaceTitle: true,
    workspaceTitle: null,
    localizedTitles: [],
  },
  embedding: {
    allowAi: true,
    enableDashboardComments: false,
    locale: null,
    showAiWidgets: true,
    showDashboardChat: true,
    showWorkbookChat: true,
    timezone: null,
  },
  restrictDataDownload: false,
  sheetsAgentChatEnabled: false,
};

/** Configuration of the account's applications (spec 2.8, 4.5). */
export function mountAppConfig(app: Hono, deps: PlatformRoutesDeps): void {
  serve(app, getAppConfig, deps, async () => accountConfig);
}
