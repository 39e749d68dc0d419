import { createHash } from 'node:crypto';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';

/** File format of a source. */
export const SourceFormat = { parquet: 'Parquet', csv: 'CSV', json: 'JSON' } as const;
/** File format of a source. */
export type SourceFormat = (typeof SourceFormat)[keyof typeof SourceFormat];

/** A file of the sources folder, and its current state. */
export interface Source {
  /** Table name: the file name without extension. */
  readonly table: string;
  readonly path: string;
  readonly format: SourceFormat;
  /** Hash of the file's path. */
  readonly place: string;
  /** Hash that changes whenever the content may have changed. */
  readonly fingerprint: string;
  readonly modifiedAt: Date;
}

/** Thrown for invalid sources. The message names the file and states how to fix it. */
export class SourcesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourcesError';
  }
}

const maxSources = 500;
const tableName = /^[a-z_][a-z0-9_]{0,62}$/;
const formats: ReadonlyMap<string, SourceFormat> = new Map([
  ['.parquet', SourceFormat.parquet],
  ['.csv', SourceFormat.csv],
  ['.tsv', SourceFormat.csv],
  ['.json', SourceFormat.json],
  ['.jsonl', SourceFormat.json],
  ['.ndjson', SourceFormat.json],
]);
const packed = /\.(gz|zst|bz2|xz|zip)$/i;
/** Time in milliseconds after the last modification until a text file counts as complete. */
const settledAfterMs = 2000;

/**
 * Lists the Parquet, CSV and JSON files of a folder (not of subfolders) by table name. Skips files whose names cannot
 * name a table.
 * @param onSkip - called with a warning for each skipped file.
 * @throws SourcesError if the folder or a file in it can't be used.
 */
export async function findSources(directory: string, onSkip?: (warning: string) => void): Promise<Source[]> {
  const entries = await readdir(directory).catch((cause: unknown) => {
    throw new SourcesError(`Could not read the sources folder ${directory}. Check that it exists.`, { cause });
  });
  const files = entries.filter(name => !name.startsWith('.') && formatOf(name) !== undefined).sort();
  const names = files.filter(name => tableName.test(tableOf(name)));
  for (const name of files) if (!names.includes(name)) onSkip?.(skipWarning(name, names));
  if (names.length > maxSources) {
    throw new SourcesError(`The sources folder ${directory} has more than ${maxSources} files. Use fewer files.`);
  }
  const read = await Promise.all(names.map(name => readUnlessGone(directory, name)));
  const sources = read.filter(source => source !== null);
  rejectDuplicates(sources);
  return sources;
}

/** Whether a string is a valid table name: lowercase letters, digits and underscores, not beginning with a digit. */
export function isTableName(text: string): boolean {
  return tableName.test(text);
}

function tableOf(name: string): string {
  return name.slice(0, -extname(name).length);
}

/**
 * Returns the warning for a skipped file. It suggests a valid name, unless another file already has that table name.
 */
function skipWarning(name: string, names: readonly string[]): string {
  const table = suggestTableName(tableOf(name));
  const isFree = tableName.test(table) && !names.some(other => tableOf(other) === table);
  const fix = isFree
    ? `Rename it to ${table}${extname(name).toLowerCase()}`
    : 'Rename it to lowercase letters, digits and underscores, with a letter or underscore first';
  return `Skipped the source ${JSON.stringify(name)}: its name is not a valid table name. ${fix}.`;
}

/** Returns the valid table name that is most similar to a string; an empty string if it has no letters or digits. */
export function suggestTableName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^_|_$/g, '');
  return (/^\d/.test(plain) ? `_${plain}` : plain).slice(0, 63);
}

/**
 * Whether the file is complete. A text file that was modified recently may still be in the process of being written.
 */
export function isSettled({ format, modifiedAt }: Source, now: Date): boolean {
  const age = now.getTime() - modifiedAt.getTime();
  return format === SourceFormat.parquet || age < 0 || age >= settledAfterMs;
}

function rejectDuplicates(sources: readonly Source[]): void {
  const names = new Map<string, string>();
  for (const { table, path } of sources) {
    const other = names.get(table);
    if (other !== undefined) {
      throw new SourcesError(
        `Both ${other} and ${basename(path)} name the table ${table}. Rename or remove one of them.`,
      );
    }
    names.set(table, basename(path));
  }
}

/** Returns null if the file was removed after the folder was listed; a broken link is an error. */
async function readUnlessGone(directory: string, name: string): Promise<Source | null> {
  try {
    return await readSource(directory, name);
  } catch (error) {
    // Throw the original error, unless the file has been removed.
    const exists = await lstat(join(directory, name)).catch(() => null);
    if (exists) throw error;
    return null;
  }
}

/** Returns `undefined` for files that contain no data. */
function formatOf(name: string): SourceFormat | undefined {
  if (packed.test(name) && formats.has(extname(name.replace(packed, '')).toLowerCase())) {
    throw new SourcesError(`The source ${name} is compressed. Decompress it, or convert it to Parquet.`);
  }
  return formats.get(extname(name).toLowerCase());
}

/**
 * Reads the state of one file.
 * @throws SourcesError if the name is not a valid table name or the path is not a file.
 */
export async function readSource(directory: string, name: string): Promise<Source> {
  const table = tableOf(name);
  const format = formatOf(name);
  if (format === undefined || !tableName.test(table)) {
    throw new SourcesError(
      `The source ${name} is not a valid table name. Use lowercase letters, digits and underscores, starting with a letter or underscore.`,
    );
  }
  const path = join(directory, name);
  const [real, found] = await Promise.all([realpath(path), stat(path, { bigint: true })]).catch((cause: unknown) => {
    throw new SourcesError(`Could not read the source ${name}. Check that it exists and is readable.`, { cause });
  });
  if (!found.isFile()) throw new SourcesError(`The source ${name} is not a file. Use one file per table.`);
  return {
    table,
    path,
    format,
    place: digest([real]),
    fingerprint: digest([found.size, found.mtimeNs, found.ino]),
    modifiedAt: found.mtime,
  };
}

/** Returns a short hash of several strings. */
export function digest(parts: readonly (string | bigint)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
