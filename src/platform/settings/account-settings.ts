import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { Hono } from 'hono';
import { type AppConfig, getAppConfig, updateAppConfig } from '../../contract/app-config.js';
import type { EmbedSessionSettings } from '../../contract/embed.js';
import { getTenantSettings, type TenantSettings, updateTenantSettings } from '../../contract/tenant-settings.js';
import type { JsonObject } from '../../contract/wire.js';
import { isAllowedOnDeployment } from '../auth/rights.js';
import { findTimezone } from '../data/time/time-zone.js';
import type { Db } from '../db/database.js';
import { accounts } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';

/** A document with changes by top-level key: what is undefined stays, what is null is taken away. */
export function mergeFields(document: JsonObject, changes: JsonObject): JsonObject {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  return withoutNullFields({ ...document, ...Object.fromEntries(sent) });
}

/** What of a document is there. */
export function withoutNullFields(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value != null));
}

/** What holds where an administrator has set nothing. A null leaves the choice to the session or the page. */
const defaultAppConfig = {
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
  sheetsUi: null,
  timezoneSettings: null,
} satisfies AppConfig;

/** Configuration of the account as it holds: what is set in `creatorMode` and `embedding` stands beside the defaults of the rest. */
export interface AccountConfig extends AppConfig {
  readonly creatorMode: NonNullable<AppConfig['creatorMode']>;
  readonly embedding: NonNullable<AppConfig['embedding']>;
}

/** The account's configuration, in one statement that the server plans once a connection. */
export async function accountConfig(db: Db): Promise<AccountConfig> {
  const statement = db.select({ stored: accounts.appConfig }).from(accounts).limit(1).prepare('account_config');
  const [account] = await statement.execute();
  return complete(account?.stored ?? {});
}

type Change = (stored: JsonObject) => JsonObject;

/** Changes what is set of the configuration; others who change it wait. */
async function changeAccountConfig(tx: Db, change: Change): Promise<AccountConfig> {
  return complete(await changeDocument(tx, 'appConfig', change));
}

/** What an administrator has set of the tenant settings. */
async function tenantSettings(db: Db): Promise<JsonObject> {
  const [account] = await db.select({ stored: accounts.tenantSettings }).from(accounts).limit(1);
  return account?.stored ?? {};
}

/** Changes what is set of the tenant settings; others who change them wait. */
async function changeTenantSettings(tx: Db, change: Change): Promise<JsonObject> {
  return changeDocument(tx, 'tenantSettings', change);
}

async function changeDocument(tx: Db, column: 'appConfig' | 'tenantSettings', change: Change): Promise<JsonObject> {
  const [account] = await tx.select().from(accounts).limit(1).for('update');
  if (!account) throw new Error('The database was not seeded.');
  const changed = change(account[column]);
  if (!isDeepStrictEqual(changed, account[column])) {
    await tx
      .update(accounts)
      .set({ [column]: changed })
      .where(eq(accounts.id, account.id));
  }
  return changed;
}

function complete({ creatorMode, embedding, ...stored }: JsonObject): AccountConfig {
  return {
    ...defaultAppConfig,
    ...stored,
    creatorMode: { ...defaultAppConfig.creatorMode, ...withoutNullFields(Object(creatorMode)) },
    embedding: { ...defaultAppConfig.embedding, ...withoutNullFields(Object(embedding)) },
  };
}

/** Every page and many a request reads the configuration: it stays small. */
const maxCharacters = 64_000;

/** Configuration of the account's applications (spec 2.8, 4.5). */
export function mountAppConfig(app: Hono, deps: RouteDeps): void {
  serve(app, getAppConfig, deps, async ({ principal }) => {
    const config = await accountConfig(deps.db);
    if (principal.kind !== 'embed') return config;
    // As for a dashboard: what holds for this session (spec 2.2).
    const mayDownload = isAllowedOnDeployment(principal.rights, 'DownloadData', principal.deploymentId);
    return { ...config, restrictDataDownload: config.restrictDataDownload || !mayDownload };
  });

  write(app, updateAppConfig, deps, async ({ body }, tx) => {
    checkTimezone('embedding', body.embedding?.timezone);
    checkTimezone('timezoneSettings', body.timezoneSettings?.timezone);
    return changeAccountConfig(tx, stored => {
      const config = mergeFields(stored, body);
      checkSize(config);
      return config;
    });
  });
}

function checkTimezone(field: string, name: string | null | undefined): void {
  if (name == null || findTimezone(name)) return;
  throw new PlatformError(400, `body.${field}.timezone: must be the name of a time zone, like Europe/Berlin`);
}

function checkSize(config: JsonObject): void {
  const size = JSON.stringify(config).length;
  if (size <= maxCharacters) return;
  throw new PlatformError(
    400,
    `body: the configuration takes ${size} characters with it, and at most ${maxCharacters}`,
  );
}

const defaultTenantSettings: TenantSettings = {
  auditLogEnabled: true,
  auditLogEnabledCurrent: true,
  auditLogEnabledTimestamp: 0,
  hasSupportAccess: false,
  maintenanceWindowDay: 'Sunday',
  maintenanceWindowEnabled: false,
  maintenanceWindowTime: '03:00',
  oidcEnabled: false,
  useAIBIUserInterface: true,
};

/** Settings of the account (operations.md, Tenant Settings): a record of what an administrator wants. */
export function mountTenantSettings(app: Hono, deps: RouteDeps): void {
  serve(app, getTenantSettings, deps, async () => showTenantSettings(await tenantSettings(deps.db)));

  write(app, updateTenantSettings, deps, async ({ body }, tx) =>
    showTenantSettings(
      await changeTenantSettings(tx, stored => {
        const changed = mergeFields(stored, body);
        if (showTenantSettings(changed).auditLogEnabled === showTenantSettings(stored).auditLogEnabled) return changed;
        return { ...changed, auditLogEnabledTimestamp: Math.floor(Date.now() / 1000) };
      }),
    ),
  );
}

function showTenantSettings(stored: JsonObject): TenantSettings {
  return { ...defaultTenantSettings, ...stored };
}

/**
 * Refuses where AI is switched off: by the session, else by the account (domain facts 1.4).
 * @throws PlatformError 403
 */
export function requireAi({ allowAi }: EmbedSessionSettings, { embedding }: AccountConfig): void {
  if ((allowAi ?? embedding.allowAi) === false) throw new PlatformError(403, 'AI is switched off for this session.');
}
