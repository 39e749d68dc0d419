import * as z from 'zod/mini';
import { operation } from './operation.js';
import { JsonObject, optional } from './wire.js';

/** Settings of the full application inside a host (spec 2.8). */
export const CreatorMode = z.looseObject({
  showGeneratedSql: optional(z.boolean()),
  showSemanticSql: optional(z.boolean()),
  showWorkspaceTitle: optional(z.boolean()),
  workspaceTitle: optional(z.string()),
  localizedTitles: optional(z.array(z.looseObject({ locale: z.string(), value: z.string() }))),
});

/** Account-wide defaults of embedding (spec 2.8). */
export const EmbedSettings = z.looseObject({
  allowAi: optional(z.boolean()),
  enableDashboardComments: optional(z.boolean()),
  locale: optional(z.string()),
  showAiWidgets: optional(z.boolean()),
  showDashboardChat: optional(z.boolean()),
  showWorkbookChat: optional(z.boolean()),
  timezone: optional(z.string()),
});

/** Configuration of the account's applications (spec 2.8). */
export const AppConfig = z.looseObject({
  appTheme: optional(JsonObject),
  applyThemeGlobally: z.boolean(),
  creatorMode: optional(CreatorMode),
  embedding: optional(EmbedSettings),
  restrictDataDownload: z.boolean(),
  sheetsAgentChatEnabled: z.boolean(),
});
/** Configuration of the account's applications (spec 2.8). */
export type AppConfig = z.infer<typeof AppConfig>;

/** Reads the account's configuration (spec 4.5). */
export const getAppConfig = operation({
  id: 'getAppConfig',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/app-config',
  access: 'authenticated',
  response: AppConfig,
  errors: {},
});
