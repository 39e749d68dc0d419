import { extname } from 'node:path';
import { isTableName } from '../../data/engines/duckdb/sources.js';
import { tableExtension } from '../../data/tables/table-format.js';
import { PlatformError } from '../../errors.js';
import { checkPath } from '../git/paths.js';
import type { TableFile } from './table-files.js';
import type { StagedFile } from './upload-folders.js';

/** Folder of the data files of a project, which are not stored in its repository. */
const dataFolder = 'sources/';
/** Maximum size of a file of a repository in bytes. */
const maxTextBytes = 1_000_000;

/** Changes that an upload makes. */
export interface UploadPlan {
  /** Uploaded files that the branch does not have with this content. */
  readonly written: readonly StagedFile[];
  /** Paths of files of the branch to delete. */
  readonly removed: readonly string[];
  /** Uploaded data files, by table. */
  readonly tables: ReadonlyMap<string, StagedFile>;
}

/** The files that the caller sends, and those of the branch and the deployment. */
export interface UploadState {
  /** Hashes of all files of the project, by path. */
  readonly files: Readonly<Record<string, { readonly hash: string }>>;
  readonly staged: readonly StagedFile[];
  /** Hashes of the files of the branch, by path. */
  readonly branch: ReadonlyMap<string, string>;
  readonly tables: readonly TableFile[];
  readonly autoRemoveFiles: boolean;
}

/** True for the path of a data file, which becomes a table. */
export function isDataPath(path: string): boolean {
  return path.startsWith(dataFolder);
}

/** Returns the name of the table of a data file; `null` for a file of the repository. @throws PlatformError 400 */
export function tableOfPath(path: string, field: string): string | null {
  checkPath(path, field);
  if (path.toLowerCase() !== path && path.toLowerCase().startsWith(dataFolder)) {
    throw new PlatformError(400, `${field}: must be lowercase, because it is the name of a table`);
  }
  if (!isDataPath(path)) return null;
  const name = path.slice(dataFolder.length);
  const table = name.slice(0, name.length - extname(name).length);
  if (!isTableName(table)) {
    throw new PlatformError(
      400,
      `${field}: must be ${dataFolder} and the name of a table: lowercase letters, digits and underscores`,
    );
  }
  try {
    tableExtension(name);
  } catch (error) {
    throw error instanceof TypeError ? new PlatformError(400, `${field}: ${error.message}`) : error;
  }
  return table;
}

/** Returns the path of the data file that a table was uploaded as; `null` if its content is not that of one file. */
export function pathOfTable({ name, description }: TableFile): string | null {
  if (description === null || description.hash === null) return null;
  return `${dataFolder}${name}${extname(description.fileName).toLowerCase()}`;
}

/** Determines what an upload changes. @throws PlatformError 400 with the path of an invalid file. */
export function planUpload({ files, staged, branch, tables, autoRemoveFiles }: UploadState): UploadPlan {
  const stagedHashes = new Map(staged.map(({ path, hash }) => [path, hash]));
  const dataHashes = new Map(tables.map(table => [pathOfTable(table), table.description?.hash]));
  const retained = autoRemoveFiles ? [] : [...branch.keys()];
  checkNames([...new Set([...Object.keys(files), ...retained])]);
  const written: StagedFile[] = [];
  const data = new Map<string, StagedFile>();
  for (const [path, { hash }] of Object.entries(files)) {
    const field = `body.files.${path}`;
    const table = tableOfPath(path, field);
    const current = table === null ? branch.get(path) : dataHashes.get(path);
    if (current === hash) continue;
    const file = staged.find(one => one.path === path);
    if (file?.hash !== hash) {
      const reason = file === undefined ? 'was not uploaded' : 'was uploaded with different content';
      throw new PlatformError(400, `${field}: ${reason}`);
    }
    if (table === null) written.push(file);
    else if (data.has(table)) throw new PlatformError(400, `${field}: another file defines the same table`);
    else data.set(table, file);
  }
  for (const path of stagedHashes.keys()) {
    if (!Object.hasOwn(files, path)) throw new PlatformError(400, `body.files: must contain the uploaded file ${path}`);
  }
  const removed = autoRemoveFiles ? [...branch.keys()].filter(path => !Object.hasOwn(files, path)) : [];
  return { written, removed, tables: data };
}

/** Rejects paths that a file system cannot store together. */
function checkNames(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) throw new PlatformError(400, `body.files.${path}: differs only in case from ${other}`);
    seen.set(path.toLowerCase(), path);
  }
  for (const path of paths) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      const folder = seen.get(path.slice(0, end).toLowerCase());
      if (folder !== undefined) throw new PlatformError(400, `body.files.${path}: ${folder} is a file, not a folder`);
    }
  }
}

/** Checks the content of a file for the repository. @throws PlatformError 400 unless it is text of a limited size. */
export function checkText(content: Uint8Array, field: string): void {
  if (content.byteLength > maxTextBytes)
    throw new PlatformError(400, `${field}: exceeds the limit of ${maxTextBytes / 1e6} MB`);
  try {
    if (!content.includes(0)) new TextDecoder('utf-8', { fatal: true }).decode(content);
    else throw new TypeError('no text');
  } catch {
    throw new PlatformError(400, `${field}: must be UTF-8 text; only files in ${dataFolder} contain data`);
  }
}
