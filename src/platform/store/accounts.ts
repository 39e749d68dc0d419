import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { AppConfig } from '../../contract/app-config.js';
import type { JsonObject } from '../../contract/wire.js';
import { given } from '../merge.js';
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

type Change = (stored: JsonObject) => JsonObject;

/** Changes what is set of the configuration; others who change it wait. */
export async function changeAccountConfig(tx: Db, change: Change): Promise<AccountConfig> {
  return complete(await changeDocument(tx, 'appConfig', change));
}

/** What an administrator has set of the tenant settings. */
export async function tenantSettings(db: Db): Promise<JsonObject> {
  const [account] = await db.select({ stored: accounts.tenantSettings }).from(accounts).limit(1);
  return account?.stored ?? {};
}

/** Changes what is set of the tenant settings; others who change them wait. */
export async function changeTenantSettings(tx: Db, change: Change): Promise<JsonObject> {
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
    ...defaults,
    ...stored,
    creatorMode: { ...defaults.creatorMode, ...given(Object(creatorMode)) },
    embedding: { ...defaults.embedding, ...given(Object(embedding)) },
  };
}
