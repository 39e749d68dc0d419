import { createHash } from 'node:crypto';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file of the sources folder, as it stands now. */
export interface Source {
  /** Name of its table: the file's name without the extension. */
  readonly table: string;
  readonly path: string;
  /** Names the file, whatever it holds. */
  readonly place: string;
  /** Changes whenever the file's content may have. */
  readonly fingerprint: string;
}

/** What is wrong with the sources: the message names the file and says what to do. */
export class SourcesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourcesError';
  }
}

const maxSources = 500;
const tableName = /^[a-z_][a-z0-9_]{0,62}$/;
/** Data that a later version reads, told apart from files that are no data at all. */
const unsupported: ReadonlySet<string> = new Set(['.csv', '.tsv', '.json', '.jsonl', '.ndjson']);

/**
 * Lists the Parquet files of a folder (not of folders below it) by table name.
 * @throws SourcesError when the folder or a file in it can't be used.
 */
export async function findSources(directory: string): Promise<Source[]> {
  const entries = await readdir(directory).catch((cause: unknown) => {
    throw new SourcesError(`The sources folder ${directory} can not be read: name a folder that exists.`, { cause });
  });
  const names = entries.filter(name => !name.startsWith('.') && isSource(name)).sort();
  if (names.length > maxSources) {
    throw new SourcesError(`The sources folder ${directory} holds more than ${maxSources} files: use fewer.`);
  }
  const read = await Promise.all(names.map(name => readUnlessGone(directory, name)));
  const sources = read.filter(source => source !== null);
  const twin = sources.find((source, index) => sources[index - 1]?.table === source.table);
  if (twin) throw new SourcesError(`Two files of ${directory} are the table ${twin.table}: rename one of them.`);
  return sources;
}

/** Null for a file that went away since the folder was listed; a link that leads nowhere is still there. */
async function readUnlessGone(directory: string, name: string): Promise<Source | null> {
  try {
    return await readSource(directory, name);
  } catch (error) {
    const isThere = await lstat(join(directory, name)).catch(() => null);
    if (isThere) throw error;
    return null;
  }
}

function isSource(name: string): boolean {
  const extension = extname(name).toLowerCase();
  if (unsupported.has(extension)) {
    throw new SourcesError(
      `The source ${name} is not supported yet: convert it to Parquet (one .parquet file per table).`,
    );
  }
  return extension === '.parquet';
}

/**
 * Reads the state of one file.
 * @throws SourcesError when its name makes no table, or it is not a file.
 */
export async function readSource(directory: string, name: string): Promise<Source> {
  const table = name.slice(0, -extname(name).length);
  if (!tableName.test(table)) {
    throw new SourcesError(
      `The source ${name} can not name a table: rename it to lower-case letters, digits and underscores, a letter or underscore first.`,
    );
  }
  const path = join(directory, name);
  const [real, found] = await Promise.all([realpath(path), stat(path, { bigint: true })]).catch((cause: unknown) => {
    throw new SourcesError(`The source ${name} can not be read: check that it exists and its permissions.`, { cause });
  });
  if (!found.isFile()) throw new SourcesError(`The source ${name} is not a file: put one .parquet file per table.`);
  return {
    table,
    path,
    place: digest([real]),
    fingerprint: digest([found.size, found.mtimeNs, found.ino]),
  };
}

/** Short text that stands for these parts together. */
export function digest(parts: readonly (string | bigint)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
