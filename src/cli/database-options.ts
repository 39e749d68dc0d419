import { parseFlags, UsageError } from './command.js';

/**
 * Validates the URL of a Postgres server. Error messages never contain the URL, because it may contain a password.
 * @param where - the flag or variable that the URL comes from.
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
 * Returns the URL of the platform's own Postgres server: from the flag, otherwise from the environment; `undefined` if
 * neither is set.
 * @throws UsageError
 */
export function databaseUrlOf(
  flag: string | undefined,
  { PA_DATABASE_URL: variable }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  // An empty variable counts as not set, because many tools set an empty variable instead of unsetting it.
  return flag ?? (variable ? readDatabaseUrl('PA_DATABASE_URL', variable) : undefined);
}

/** Location of a platform's own data: a folder or a Postgres server. */
export interface StoreOptions {
  readonly dataDirectory: string | undefined;
  /** If neither field is set, `PA_DATABASE_URL` applies. */
  readonly databaseUrl: string | undefined;
}

/** Options of `pa-platform backup`. */
export interface BackupOptions {
  readonly file: string;
  readonly store: StoreOptions;
}

/** Options of `pa-platform restore`. */
export interface RestoreOptions extends BackupOptions {
  /** Whether to replace the existing data. */
  readonly replace: boolean;
}

const storeHelp = `  --data DIR            data folder of the platform with its embedded database
  --database-url URL    Postgres server to use instead of the embedded one: postgres://user@host/database.
                        Put a URL with a password into PA_DATABASE_URL`;

const environmentHelp = `Environment
  PA_DATABASE_URL       Postgres server, like --database-url, but not visible to other users; --data takes precedence`;

/** Text of `pa-platform backup --help`. */
export const backupHelp = `Writes a consistent snapshot of the platform's own data to a file. The platform may keep running.

  pa-platform backup FILE (--data DIR | --database-url URL)

${storeHelp}
  --help                this text

Only the owner of the file can read it. It contains encrypted secrets and hashes of keys, but no secret key: store PA_SECRET_KEY, or
<data>/secret-key, separately, because a restored platform needs the same one. Imported data is not included: it is imported again.

${environmentHelp}`;

/** Text of `pa-platform restore --help`. */
export const restoreHelp = `Restores the database of a platform from a backup in one transaction. Stop all platforms that use the database first.

  pa-platform restore FILE (--data DIR | --database-url URL) [--replace]

${storeHelp}
  --replace             replaces existing data; without it, the command fails if the database contains more than
                        a new platform creates
  --help                this text

The restored platform needs the secret key of the platform that was backed up: PA_SECRET_KEY, or <data>/secret-key. Backups of
older releases are migrated.

${environmentHelp}`;

const flags = {
  data: { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;
const restoreFlags = { ...flags, replace: { type: 'boolean', default: false } } as const;

/**
 * Parses the arguments after `backup`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readBackupOptions(args: readonly string[]): BackupOptions | null {
  const { file, rest } = takeFile(args);
  const values = parseFlags('backup', rest, flags);
  if (values.help) return null;
  if (file === null)
    throw new UsageError('Missing file. Usage: pa-platform backup FILE (see pa-platform backup --help)');
  return { file, store: readStore(values) };
}

/**
 * Parses the arguments after `restore`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readRestoreOptions(args: readonly string[]): RestoreOptions | null {
  const { file, rest } = takeFile(args);
  const values = parseFlags('restore', rest, restoreFlags);
  if (values.help) return null;
  if (file === null)
    throw new UsageError('Missing file. Usage: pa-platform restore FILE (see pa-platform restore --help)');
  return { file, store: readStore(values), replace: values.replace };
}

function readStore(values: {
  readonly data?: string | undefined;
  readonly 'database-url'?: string | undefined;
}): StoreOptions {
  const { data, 'database-url': url } = values;
  if (data !== undefined && url !== undefined) {
    throw new UsageError('--data and --database-url are mutually exclusive: set one of them.');
  }
  return {
    dataDirectory: data,
    databaseUrl: url === undefined ? undefined : readDatabaseUrl('--database-url', url),
  };
}

/** Separates the file from the flags that follow it. */
function takeFile(args: readonly string[]): { readonly file: string | null; readonly rest: readonly string[] } {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? { file: null, rest: args } : { file: first, rest };
}
