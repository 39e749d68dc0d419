import { parseFlags, UsageError } from './command.js';

/**
 * Checks the URL of a Postgres server. It may hold a password: it is told to nobody.
 * @param where - names what held it.
 * @throws UsageError
 */
export function readDatabaseUrl(where: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new UsageError(`${where} must be the URL of a Postgres server, like postgres://user@host/database.`);
  }
  return text;
}

/**
 * The Postgres server of the platform's own data: that of the flag, else that of the environment; `undefined` where none is named.
 * @throws UsageError
 */
export function databaseUrlOf(
  flag: string | undefined,
  { PA_DATABASE_URL: variable }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  // An empty variable is how many tools say that there is none.
  return flag ?? (variable ? readDatabaseUrl('PA_DATABASE_URL', variable) : undefined);
}

/** Which platform's data: that of a folder, or that on a server. */
export interface StoreOptions {
  readonly dataDirectory: string | undefined;
  /** Where neither is given, the environment may name one. */
  readonly databaseUrl: string | undefined;
}

/** What `pa-platform backup` was asked for. */
export interface BackupOptions {
  readonly file: string;
  readonly store: StoreOptions;
}

/** What `pa-platform restore` was asked for. */
export interface RestoreOptions extends BackupOptions {
  /** Whether what the database holds is replaced. */
  readonly replace: boolean;
}

const storeHelp = `  --data DIR            folder of the platform, with its embedded database; it may be running
  --database-url URL    Postgres server in place of the embedded one: postgres://user@host/database. With a password it
                        belongs in PA_DATABASE_URL`;

const environmentHelp = `Environment
  PA_DATABASE_URL       --database-url, where others can't read it; --data comes before it`;

/** Text of `pa-platform backup --help`. */
export const backupHelp = `Writes all of a platform's own data to a file, as it is at one moment, while the platform may go on writing.

  pa-platform backup FILE (--data DIR | --database-url URL)

${storeHelp}
  --help                this text

Only the file's owner may read it. Secrets in it stay sealed, and keys are hashes: keep PA_SECRET_KEY, or <data>/secret-key, in
another place; a restored platform needs the same one. Imported data is not in it: it is imported again.

${environmentHelp}`;

/** Text of `pa-platform restore --help`. */
export const restoreHelp = `Fills the database of a platform from a backup: all of it, or nothing. Stop the platforms on it first.

  pa-platform restore FILE (--data DIR | --database-url URL) [--replace]

${storeHelp}
  --replace             replaces what the database holds; without it, one that holds more than a first start makes is left as
                        it is
  --help                this text

The platform then needs the secret key of the one that was backed up: PA_SECRET_KEY, or <data>/secret-key. Backups of older
releases are migrated.

${environmentHelp}`;

const flags = {
  data: { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;
const restoreFlags = { ...flags, replace: { type: 'boolean', default: false } } as const;

/**
 * Reads the arguments that follow `backup`; `null` asks for the help text.
 * @throws UsageError
 */
export function readBackupOptions(args: readonly string[]): BackupOptions | null {
  const { file, rest } = takeFile(args);
  const values = parseFlags('backup', rest, flags);
  if (values.help) return null;
  if (file === null) throw new UsageError('Name the file to write: pa-platform backup FILE (see backup --help).');
  return { file, store: readStore(values) };
}

/**
 * Reads the arguments that follow `restore`; `null` asks for the help text.
 * @throws UsageError
 */
export function readRestoreOptions(args: readonly string[]): RestoreOptions | null {
  const { file, rest } = takeFile(args);
  const values = parseFlags('restore', rest, restoreFlags);
  if (values.help) return null;
  if (file === null) throw new UsageError('Name the backup: pa-platform restore FILE (see restore --help).');
  return { file, store: readStore(values), replace: values.replace };
}

function readStore(values: {
  readonly data?: string | undefined;
  readonly 'database-url'?: string | undefined;
}): StoreOptions {
  const { data, 'database-url': url } = values;
  if (data !== undefined && url !== undefined) {
    throw new UsageError('Say which database: --data or --database-url, not both.');
  }
  return {
    dataDirectory: data,
    databaseUrl: url === undefined ? undefined : readDatabaseUrl('--database-url', url),
  };
}

/** The file stands first, before the flags. */
function takeFile(args: readonly string[]): { readonly file: string | null; readonly rest: readonly string[] } {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? { file: null, rest: args } : { file: first, rest };
}
