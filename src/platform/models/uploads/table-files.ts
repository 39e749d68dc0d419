import { readdir, rename, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as z from 'zod/mini';
import { isTableName } from '../../data/engines/duckdb/sources.js';
import type { DescribedTable } from '../../data/tables/table-protocol.js';
import { PlatformError } from '../../errors.js';
import { hasCode, makeFolder, readIfExists, replaceFile } from './files.js';

const limits = { tables: 200, bytes: 5_000_000_000 } as const;

/** Schema of the description of an uploaded table, which is stored next to it. */
export const TableDescription = z.object({
  fileName: z.string(),
  /** SHA-1 of the uploaded file; `null` if rows were appended. */
  hash: z.nullable(z.string()),
  rows: z.number(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
/** Description of an uploaded table. */
export type TableDescription = z.infer<typeof TableDescription>;

/** A table of a deployment. */
export interface TableFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly updatedAt: Date;
  /** Identifies the content. */
  readonly fingerprint: string;
  /** `null` for a file that was not uploaded. */
  readonly description: TableDescription | null;
}

/** A Parquet file to import as a table. */
export interface NewTable {
  readonly name: string;
  /** Path of the file, which is moved. */
  readonly file: string;
  readonly description: TableDescription;
}

/** Returns the description of an uploaded file. */
export function describeUpload(fileName: string, hash: string | null, table: DescribedTable): TableDescription {
  return { fileName, hash, rows: table.rows, columns: [...table.columns] };
}

/**
 * The tables of one deployment. Uploaded tables are Parquet files in the folder of the sources. The description of a
 * table is in a file whose name contains the fingerprint of the table, so that moving the table replaces both at once.
 */
export class TableFiles {
  readonly #sources: string;
  readonly #descriptions: string;

  /** @param folder - folder of the deployment. */
  constructor(folder: string) {
    this.#sources = join(folder, 'sources');
    this.#descriptions = join(folder, 'tables');
  }

  /** Lists the tables, ordered by name. */
  async list(): Promise<TableFile[]> {
    const names = (await readdir(this.#sources)).filter(name => isTableName(tableOf(name))).sort();
    const found = await Promise.all(names.map(name => this.#read(name)));
    return found.filter(file => file !== null);
  }

  /** Returns a table; `null` if it does not exist. */
  async find(table: string): Promise<TableFile | null> {
    return (await this.list()).find(({ name }) => name === table) ?? null;
  }

  /**
   * Checks that tables can be added.
   * @throws PlatformError 409 if there are too many, or a table is a file that was not uploaded.
   */
  async checkNew(tables: readonly { readonly name: string; readonly bytes: number }[]): Promise<void> {
    const sizes = new Map<string, number>();
    for (const { name, path, bytes } of await this.list()) {
      sizes.set(name, bytes);
      if (extname(path) === '.parquet' || !tables.some(table => table.name === name)) continue;
      throw new PlatformError(
        409,
        `The table ${name} is a file that was copied to the folder of the sources. Delete the table first.`,
      );
    }
    for (const { name, bytes } of tables) sizes.set(name, bytes);
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (sizes.size <= limits.tables && total <= limits.bytes) return;
    throw new PlatformError(409, `A deployment can have at most ${limits.tables} tables and ${limits.bytes / 1e9} GB.`);
  }

  /** Moves a file to the tables, and replaces the table with this name. Does nothing if it was moved before. */
  async put({ name, file, description }: NewTable): Promise<void> {
    const fingerprint = await fingerprintOf(file);
    if (fingerprint === null) return;
    await makeFolder(this.#descriptions);
    await replaceFile(this.#descriptionOf(name, fingerprint), JSON.stringify(description));
    await rename(file, join(this.#sources, `${name}.parquet`));
    await this.#removeDescriptions(name, fingerprint);
  }

  /** Deletes a table. Returns false if it does not exist. */
  async remove(table: string): Promise<boolean> {
    const found = (await this.list()).filter(({ name }) => name === table);
    for (const { path } of found) await rm(path, { force: true });
    await this.#removeDescriptions(table, null);
    return found.length > 0;
  }

  async #read(fileName: string): Promise<TableFile | null> {
    const name = tableOf(fileName);
    const path = join(this.#sources, fileName);
    // Another request may have deleted the file.
    const found = await stat(path).catch(() => null);
    const fingerprint = found?.isFile() ? await fingerprintOf(path) : null;
    if (!found || fingerprint === null) return null;
    const text = await readIfExists(this.#descriptionOf(name, fingerprint));
    const description = text === null ? null : TableDescription.parse(JSON.parse(text));
    return { name, path, bytes: found.size, updatedAt: found.mtime, fingerprint, description };
  }

  #descriptionOf(table: string, fingerprint: string): string {
    return join(this.#descriptions, `${table}.${fingerprint}.json`);
  }

  async #removeDescriptions(table: string, keep: string | null): Promise<void> {
    // The folder does not exist before the first upload.
    const names = await readdir(this.#descriptions).catch(() => []);
    const outdated = names.filter(name => name.startsWith(`${table}.`) && name !== `${table}.${keep}.json`);
    for (const name of outdated) await rm(join(this.#descriptions, name), { force: true });
  }
}

/** Returns a string that identifies the content of a file, and does not change when the file is moved. */
async function fingerprintOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  return found && `${found.size}-${found.mtimeNs}-${found.ino}`;
}

function tableOf(fileName: string): string {
  return fileName.slice(0, fileName.length - extname(fileName).length);
}
