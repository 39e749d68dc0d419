import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { AppConfig } from '../../contract/app-config.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from './database.js';
import { accounts } from './schema.js';

/** What holds where an administrator has set nothing. A null leaves the choice to the session or the page. */
const defaults = {
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

/** Changes what is set: each key takes the place of the one before, a null takes it away. Others who change it wait. */
export async function changeAccountConfig(
  tx: Db,
  changes: JsonObject,
  check: (config: JsonObject) => void,
): Promise<AccountConfig> {
  const [account] = await tx.select().from(accounts).limit(1).for('update');
  if (!account) throw new Error('The database was not seeded.');
  const appConfig = merged(account.appConfig, changes);
  check(appConfig);
  if (!isDeepStrictEqual(appConfig, account.appConfig)) {
    await tx.update(accounts).set({ appConfig }).where(eq(accounts.id, account.id));
  }
  return complete(appConfig);
}

/** A document with changes by top-level key: what is undefined stays, what is null is taken away. */
export function merged(document: JsonObject, changes: JsonObject): JsonObject {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given({ ...document, ...Object.fromEntries(sent) });
}

function given(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value != null));
}

function complete({ creatorMode, embedding, ...stored }: JsonObject): AccountConfig {
  return {
    ...defaults,
    ...stored,
    creatorMode: { ...defaults.creatorMode, ...given(Object(creatorMode)) },
    embedding: { ...defaults.embedding, ...given(Object(embedding)) },
  };
}
