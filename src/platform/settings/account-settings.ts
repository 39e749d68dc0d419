import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { Hono } from 'hono';
import { type AppConfig, getAppConfig, updateAppConfig } from '../../contract/app-config.js';
import type { EmbedSessionSettings } from '../../contract/embed.js';
import { getTenantSettings, type TenantSettings, updateTenantSettings } from '../../contract/tenant-settings.js';
import type { JsonObject } from '../../contract/wire.js';
import { hasBreakGlassAdmin } from '../auth/password-store.js';
import { endPasswordSessions } from '../auth/person-session-store.js';
import { defaultIdleMinutes, defaultLifetimeHours } from '../auth/person-session-validity.js';
import type { Principal } from '../auth/principal.js';
import { isAllowedOnDeployment } from '../auth/rights.js';
import { findTimezone } from '../data/time/time-zone.js';
import type { Db } from '../db/database.js';
import { accounts } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';

/** Merges changes into a document by top-level key: `undefined` keeps the value, `null` removes it. */
export function mergeFields(document: JsonObject, changes: JsonObject): JsonObject {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  return withoutNullFields({ ...document, ...Object.fromEntries(sent) });
}

/** Returns a copy of a document without its `null` and `undefined` fields. */
export function withoutNullFields(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value != null));
}

/**
 * Defaults of settings that an administrator has not set. `null` means that the session or the page determines the
 * value.
 */
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

/** The effective configuration of the account: stored values, with defaults for unset fields. */
export interface AccountConfig extends AppConfig {
  readonly creatorMode: NonNullable<AppConfig['creatorMode']>;
  readonly embedding: NonNullable<AppConfig['embedding']>;
}

/** Returns the account's configuration. Runs a prepared statement, which the server plans once per connection. */
export async function accountConfig(db: Db): Promise<AccountConfig> {
  return complete(await storedConfig(db));
}

async function storedConfig(db: Db): Promise<JsonObject> {
  const statement = db.select({ stored: accounts.appConfig }).from(accounts).limit(1).prepare('account_config');
  const [account] = await statement.execute();
  return account?.stored ?? {};
}

type Change = (stored: JsonObject) => JsonObject;

/** Returns the stored tenant settings, without defaults. */
async function tenantSettings(db: Db): Promise<JsonObject> {
  const [account] = await db.select({ stored: accounts.tenantSettings }).from(accounts).limit(1);
  return account?.stored ?? {};
}

/** Updates the stored tenant settings. Locks the account's row, so that concurrent changes run one after another. */
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

/**
 * Maximum length of the configuration as JSON, in characters. Limited, because every page and many requests read it.
 */
const maxCharacters = 64_000;

/** Mounts the routes for the configuration of the account's applications (spec 2.8, 4.5). */
export function mountAppConfig(app: Hono, deps: RouteDeps): void {
  serve(app, getAppConfig, deps, async ({ principal }) => {
    const stored = await storedConfig(deps.db);
    if (principal.kind !== 'embed') return withRevision(stored);
    const config = complete(stored);
    // An embed session gets its own effective value, as it does for dashboards (spec 2.2).
    const mayDownload = isAllowedOnDeployment(principal.rights, 'DownloadData', principal.deploymentId);
    return { ...config, restrictDataDownload: config.restrictDataDownload || !mayDownload };
  });

  write(app, updateAppConfig, deps, async ({ body }, tx) => {
    checkTimezone('embedding', body.embedding?.timezone);
    checkTimezone('timezoneSettings', body.timezoneSettings?.timezone);
    if (body.timezoneSettings?.allowUserOverride === false) {
      throw new PlatformError(
        400,
        'body.timezoneSettings.allowUserOverride: is not supported by this platform; omit it',
      );
    }
    const { revision, ...changes } = body;
    const changed = await changeDocument(tx, 'appConfig', stored => {
      if (revision != null && revision !== revisionOf(stored)) throw configChanged();
      const config = mergeFields(stored, changes);
      checkSize(config);
      return config;
    });
    return withRevision(changed);
  });
}

function withRevision(stored: JsonObject): AccountConfig {
  return { ...complete(stored), revision: revisionOf(stored) };
}

/** Returns the revision of a stored configuration. Postgres preserves the order of its keys. */
function revisionOf(stored: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(stored)).digest('base64url').slice(0, 22);
}

function configChanged(): PlatformError {
  const message = 'body.revision: the configuration has changed since it was read. Read it again before you change it.';
  return new PlatformError(409, message);
}

function checkTimezone(field: string, name: string | null | undefined): void {
  if (name == null || findTimezone(name)) return;
  throw new PlatformError(400, `body.${field}.timezone: must be the name of a time zone, such as Europe/Berlin`);
}

function checkSize(config: JsonObject): void {
  const size = JSON.stringify(config).length;
  if (size <= maxCharacters) return;
  throw new PlatformError(400, `body: the configuration would have ${size} characters; the limit is ${maxCharacters}`);
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
  sessionIdleMinutes: defaultIdleMinutes,
  sessionLifetimeHours: defaultLifetimeHours,
  singleSignOnOnly: false,
  useAIBIUserInterface: true,
};

/** Settings without an effect here. A value that would grant or restrict something is rejected and never shown. */
const notEnforced = { hasSupportAccess: false, maintenanceWindowEnabled: false } as const;

/** Settings that an embed session of an administrator cannot change. */
const restricted = ['auditLogEnabled', 'sessionIdleMinutes', 'sessionLifetimeHours', 'singleSignOnOnly'] as const;

/** Mounts the routes for the settings of the account (operations.md, Tenant Settings). */
export function mountTenantSettings(app: Hono, deps: RouteDeps): void {
  const oidcEnabled = deps.signInProvider !== null;
  const show = (stored: JsonObject) => ({ ...showTenantSettings(stored), ...notEnforced, oidcEnabled });

  serve(app, getTenantSettings, deps, async () => show(await tenantSettings(deps.db)));

  write(app, updateTenantSettings, deps, async ({ body, principal }, tx) => {
    if (restricted.some(name => body[name] !== undefined)) requireManager(principal);
    for (const [name, value] of Object.entries({ ...notEnforced, oidcEnabled })) {
      const sent = name in body ? Object(body)[name] : undefined;
      if (sent != null && sent !== value)
        throw new PlatformError(400, `body.${name}: is not supported by this platform; omit it`);
    }
    let isSwitchedOn = false;
    const changed = await changeTenantSettings(tx, stored => {
      isSwitchedOn = body.singleSignOnOnly === true && stored.singleSignOnOnly !== true;
      const merged = mergeFields(stored, body);
      if (showTenantSettings(merged).auditLogEnabled === showTenantSettings(stored).auditLogEnabled) return merged;
      return { ...merged, auditLogEnabledTimestamp: Math.floor(Date.now() / 1000) };
    });
    if (isSwitchedOn) await requireWorkingSignOn(tx, principal);
    return show(changed);
  });
}

/**
 * Checks that single sign-on works for an administrator, and that an administrator can sign in without it. Ends the
 * sessions of users who signed in with a password.
 */
async function requireWorkingSignOn(tx: Db, principal: Principal): Promise<void> {
  if (principal.kind !== 'person' || principal.method !== 'oidc') {
    throw new PlatformError(403, 'Sign in through the OpenID provider first, to verify that it works.');
  }
  if (!(await hasBreakGlassAdmin(tx))) {
    throw new PlatformError(
      409,
      'Set a password for an administrator first, so that sign-in is possible if the provider fails.',
    );
  }
  await endPasswordSessions(tx);
}

function showTenantSettings(stored: JsonObject): TenantSettings {
  const settings = { ...defaultTenantSettings, ...stored };
  return { ...settings, auditLogEnabledCurrent: settings.auditLogEnabled };
}

/** True if AI is enabled. The session's setting takes precedence over the account's (domain.md 1.4). */
export function isAiAllowed({ allowAi }: EmbedSessionSettings, { embedding }: AccountConfig): boolean {
  return (allowAi ?? embedding.allowAi) !== false;
}

/**
 * Checks that AI is enabled.
 * @throws PlatformError 403
 */
export function requireAi(settings: EmbedSessionSettings, config: AccountConfig): void {
  if (!isAiAllowed(settings, config)) throw new PlatformError(403, 'AI is disabled for this session.');
}
