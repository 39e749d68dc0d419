import { UsageError } from './usage-error.js';

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
