import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account of the operating system that the embedded Postgres runs under. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

const fallback: PostgresAccount = { uid: 65534, gid: 65534 };

/** Postgres refuses to run as root: then it is the account `nobody` (initdb wants one that has a name); `null` is our own. */
export async function postgresAccount(): Promise<PostgresAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, , uid, gid] = accounts.match(/^nobody:.*$/m)?.[0].split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : fallback;
}

/** Can the account read and execute the file: it, and every folder above it, is open to others? */
export async function isOpenToOthers(file: string): Promise<boolean> {
  const { mode } = await stat(file);
  if ((mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
