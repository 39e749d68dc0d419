import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod/mini';

// Format: a gzip file of JSON lines. The first line is the header; then each table has a line with its name and one
// line per row; the last line is a checksum of all previous lines.

const format = 'pa-platform backup';
const formatVersion = 1;
const maxLineBytes = 512 * 1024 * 1024;
const newline = 0x0a;

const Name = z.string().check(z.minLength(1), z.maxLength(63));

/** Header of a backup, its first line. */
const BackupHeader = z.object({
  format: z.literal(format),
  formatVersion: z.int(),
  madeAt: z.string(),
  /** Schema version of the database: its last migration. */
  schemaVersion: z.int(),
  /** Tables in an order in which each follows the tables that it references. */
  tables: z.array(z.object({ name: Name, columns: z.array(Name), rows: z.int() })),
  sequences: z.array(z.object({ table: Name, column: Name, next: z.string().check(z.regex(/^\d{1,19}$/)) })),
});
/** Header of a backup, its first line. */
export type BackupHeader = z.infer<typeof BackupHeader>;
/** The header without the fields of the file format. */
export type BackupContent = Omit<BackupHeader, 'format' | 'formatVersion'>;

/** A row: a JSON array of the column values in Postgres text format. */
export interface BackupRow {
  readonly table: string;
  readonly line: string;
}

/** Writes a backup line by line. */
export interface BackupWriter {
  writeRows(table: string, lines: readonly string[]): Promise<void>;
}

const damagedBackupError = (detail: string) =>
  new Error(`The backup is damaged or incomplete (${detail}). Use another copy. Nothing was written.`);

/**
 * Writes a backup to a file with mode 0600. The file gets its final name when it is complete; a failed backup leaves no
 * file.
 * @returns size of the file in bytes.
 */
export async function writeBackupFile(
  path: string,
  content: BackupContent,
  fill: (writer: BackupWriter) => Promise<void>,
): Promise<number> {
  const partial = `${path}.${process.pid}.partial`;
  // Flush the file to disk on close, so that the renamed file is not incomplete after a crash.
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await compressInto(file, content, fill);
    const { size } = await stat(partial);
    await rename(partial, path);
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function compressInto(
  file: WriteStream,
  content: BackupContent,
  fill: (writer: BackupWriter) => Promise<void>,
): Promise<void> {
  const gzip = createGzip();
  const written = pipeline(gzip, file);
  // Prevents an unhandled rejection before the stream is awaited below.
  written.catch(() => undefined);
  const hash = createHash('sha256');
  const write = async (text: string) => {
    // If the disk is full, the stream ends without a `drain` event.
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written]);
  };
  const writeLines = async (lines: readonly string[]) => {
    const text = `${lines.join('\n')}\n`;
    hash.update(text);
    await write(text);
  };
  let table: string | null = null;
  try {
    const header: BackupHeader = { format, formatVersion, ...content };
    await writeLines([JSON.stringify(header)]);
    await fill({
      async writeRows(name, lines) {
        if (lines.length === 0) return;
        if (name !== table) await writeLines([JSON.stringify({ table: name })]);
        table = name;
        await writeLines(lines);
      },
    });
    await write(`${JSON.stringify({ checksum: hash.digest('hex') })}\n`);
    gzip.end();
    await written;
  } catch (error) {
    gzip.destroy();
    // Ignore this error, because only the first error is reported.
    await written.catch(() => undefined);
    throw error;
  }
}

/**
 * Reads only the header of a backup.
 * @throws Error with the reason.
 */
export async function readBackupHeader(path: string): Promise<BackupHeader> {
  for await (const line of linesOf(path)) return parseHeader(line.toString());
  throw damagedBackupError('the file is empty');
}

/**
 * Reads the rows of a backup. Throws if the file was changed or is incomplete, at the latest after the last row.
 * @throws Error with the reason.
 */
export async function* readBackupRows(path: string): AsyncGenerator<BackupRow> {
  const hash = createHash('sha256');
  const counts = new Map<string, number>();
  let header: BackupHeader | null = null;
  let table = '';
  let checksum: string | null = null;
  for await (const bytes of linesOf(path)) {
    if (checksum !== null) throw damagedBackupError('there is data after the checksum');
    const line = bytes.toString();
    if (line.startsWith('{"checksum":')) {
      checksum = parseLine(line, z.object({ checksum: z.string() })).checksum;
      continue;
    }
    hash.update(bytes).update('\n');
    if (header === null) header = parseHeader(line);
    else if (!line.startsWith('[')) ({ table } = parseLine(line, z.object({ table: Name })));
    else {
      counts.set(table, (counts.get(table) ?? 0) + 1);
      yield { table, line };
    }
  }
  if (checksum === null) throw damagedBackupError('the checksum is missing');
  if (checksum !== hash.digest('hex')) throw damagedBackupError('the checksum does not match');
  const short = header?.tables.find(({ name, rows }) => rows !== (counts.get(name) ?? 0));
  if (short) throw damagedBackupError(`rows of ${short.name} are missing`);
}

function parseHeader(line: string): BackupHeader {
  const header = z.safeParse(z.object({ format: z.literal(format), formatVersion: z.int() }), parseJson(line));
  if (!header.success) throw new Error('The file is not a backup of pa-platform.');
  if (header.data.formatVersion > formatVersion) {
    throw new Error('The backup was made by a newer pa-platform. Restore it with that version.');
  }
  return parseLine(line, BackupHeader);
}

function parseLine<S extends z.ZodMiniType>(line: string, schema: S): z.output<S> {
  const result = z.safeParse(schema, parseJson(line));
  if (!result.success) throw damagedBackupError('a line cannot be parsed');
  return result.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Returns the lines of a compressed file. Does not use Node's readline, because it also splits at other line
 * separators, which may occur in values.
 */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of decompress(path)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maxLineBytes) throw damagedBackupError('a line is too long');
  }
  if (pendingBytes > 0) throw damagedBackupError('the last line is incomplete');
}

async function* decompress(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  const read = pipeline(file, gunzip);
  // Ignore the error here. `pipeline` destroys the stream that is read below, so the loop throws the error.
  read.catch(() => undefined);
  try {
    yield* Readable.from(gunzip);
  } catch (error) {
    throw toReadError(error, path);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function toReadError(error: unknown, path: string): unknown {
  const { code, syscall } = Object(error);
  if (typeof syscall === 'string') return new Error(`Could not read ${path} (${code}).`, { cause: error });
  if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') return damagedBackupError('it cannot be decompressed');
  return error;
}
