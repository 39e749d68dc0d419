import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { makeFolder, readIfExists, replaceFile } from './files.js';

/** How long an upload can be used after its start, in ms. */
const uploadLifeMs = 3_600_000;
const limits = { open: 50, files: 1_000, bytes: 200_000_000 } as const;
const idPattern = /^[0-9a-f-]{36}$/;
const infoName = 'upload.json';
const journalName = 'finish.json';

const Info = z.object({
  kind: z.enum(['model', 'table']),
  /** User who started the upload. */
  userId: z.number(),
  createdAt: z.number(),
  /** Branch and its last commit, of an upload of model files. */
  branch: z.optional(z.string()),
  head: z.optional(z.string()),
  /** Name of the file, of an upload of a table. */
  fileName: z.optional(z.string()),
});
/** Description of an upload. */
export type UploadInfo = z.infer<typeof Info>;

const StagedFile = z.object({ path: z.string(), hash: z.string(), bytes: z.number() });
/** A file of an upload. */
export type StagedFile = z.infer<typeof StagedFile> & { readonly file: string };

/**
 * The uploads of one deployment that are not finished. Each has a folder on the disk, so that all platforms that share
 * the data folder can continue it.
 */
export class UploadFolders {
  readonly #directory: string;

  /** @param folder - folder of the deployment. */
  constructor(folder: string) {
    this.#directory = join(folder, 'uploads');
  }

  /** Creates an upload, and deletes expired ones. @throws PlatformError 409 if too many are open. */
  async create(info: Omit<UploadInfo, 'createdAt'>): Promise<UploadFolder> {
    await makeFolder(this.#directory);
    const ids = await this.#ids();
    let open = 0;
    for (const id of ids) if (!(await this.#removeIfExpired(id))) open += 1;
    if (open >= limits.open) {
      throw new PlatformError(
        409,
        `A deployment can have at most ${limits.open} open uploads. Finish one, or wait an hour.`,
      );
    }
    const id = randomUUID();
    const folder = join(this.#directory, id);
    await mkdir(folder, { mode: 0o700 });
    await mkdir(join(folder, 'files'));
    const stored: UploadInfo = { ...info, createdAt: Date.now() };
    await replaceFile(join(folder, infoName), JSON.stringify(stored));
    return new UploadFolder(id, folder, stored);
  }

  /** Returns an open upload. @throws PlatformError 404 */
  async open(id: string, kind: UploadInfo['kind']): Promise<UploadFolder> {
    const folder = join(this.#directory, id);
    const text = idPattern.test(id) ? await readIfExists(join(folder, infoName)) : null;
    const info = text === null ? null : Info.parse(JSON.parse(text));
    if (info === null || info.kind !== kind || isExpired(info)) throw notFound('Upload');
    return new UploadFolder(id, folder, info);
  }

  /** Returns the uploads that were interrupted while they were being finished. */
  async interrupted(): Promise<{ readonly folder: UploadFolder; readonly journal: string }[]> {
    const found: { folder: UploadFolder; journal: string }[] = [];
    for (const id of await this.#ids()) {
      const folder = join(this.#directory, id);
      const journal = await readIfExists(join(folder, journalName));
      const text = await readIfExists(join(folder, infoName));
      if (journal === null || text === null) continue;
      found.push({ folder: new UploadFolder(id, folder, Info.parse(JSON.parse(text))), journal });
    }
    return found;
  }

  async #ids(): Promise<string[]> {
    // The folder does not exist before the first upload.
    return (await readdir(this.#directory).catch(() => [])).filter(name => idPattern.test(name));
  }

  async #removeIfExpired(id: string): Promise<boolean> {
    const folder = join(this.#directory, id);
    const text = await readIfExists(join(folder, infoName));
    // Another platform may have deleted the folder.
    const found = await stat(folder).catch(() => null);
    if (found === null) return true;
    const createdAt = text === null ? found.mtimeMs : Info.parse(JSON.parse(text)).createdAt;
    // Keep an upload that was interrupted while it was being finished, because the repair completes it.
    if (!isExpired({ createdAt }) || (await readIfExists(join(folder, journalName))) !== null) return false;
    await rm(folder, { recursive: true, force: true });
    return true;
  }
}

function isExpired({ createdAt }: Pick<UploadInfo, 'createdAt'>): boolean {
  return Date.now() - createdAt > uploadLifeMs;
}

/** The folder of one upload. */
export class UploadFolder {
  readonly id: string;
  readonly info: UploadInfo;
  readonly #folder: string;

  constructor(id: string, folder: string, info: UploadInfo) {
    this.id = id;
    this.info = info;
    this.#folder = folder;
  }

  /** When the upload expires. */
  get expiresAt(): Date {
    return new Date(this.info.createdAt + uploadLifeMs);
  }

  /** Returns the path of a file that the platform creates in this folder. */
  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Stores a file, and replaces an earlier one of the same path. @throws PlatformError 400 if a limit is exceeded. */
  async add(path: string, content: Uint8Array): Promise<void> {
    const others = (await this.files()).filter(file => file.path !== path);
    const total = others.reduce((sum, { bytes }) => sum + bytes, content.byteLength);
    if (others.length >= limits.files || total > limits.bytes) {
      throw new PlatformError(400, `An upload can have at most ${limits.files} files and ${limits.bytes / 1e6} MB.`);
    }
    // Use a hash as the file name, because the caller chooses the path.
    const name = join(this.#folder, 'files', createHash('sha256').update(path).digest('hex'));
    const hash = createHash('sha1').update(content).digest('hex');
    await replaceFile(`${name}.data`, content);
    await replaceFile(`${name}.json`, JSON.stringify({ path, hash, bytes: content.byteLength }));
  }

  /** Lists the stored files, ordered by path. */
  async files(): Promise<StagedFile[]> {
    const folder = join(this.#folder, 'files');
    const names = (await readdir(folder)).filter(name => name.endsWith('.json'));
    const found = await Promise.all(
      names.map(async name => ({
        ...StagedFile.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))),
        file: join(folder, name.replace(/json$/, 'data')),
      })),
    );
    return found.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Records what the finish will change, so that an interrupted finish can be completed. */
  async writeJournal(text: string): Promise<void> {
    await replaceFile(this.pathOf(journalName), text);
  }

  /** Deletes the upload. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
