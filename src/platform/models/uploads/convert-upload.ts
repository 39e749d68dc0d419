import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runTableProcess } from '../../data/tables/run-table-process.js';
import { tableExtension } from '../../data/tables/table-format.js';
import type { DescribedTable } from '../../data/tables/table-protocol.js';
import type { UploadFolder } from './upload-folders.js';

/** A file of an upload, and the name of the Parquet file to write in the folder of the upload. */
interface UploadConversion {
  readonly file: string;
  /** Name that the caller has given the file. */
  readonly fileName: string;
  readonly sheet: string | null;
  readonly output: string;
}

/** A Parquet file with its size. */
interface ConvertedUpload {
  readonly table: DescribedTable;
  readonly bytes: number;
}

/** Converts a file of an upload to Parquet. @throws PlatformError 400 if it cannot be read. */
export async function convertUpload(
  folder: UploadFolder,
  { file, fileName, sheet, output }: UploadConversion,
): Promise<ConvertedUpload> {
  return inScratch(folder, fileName, async (scratch, options) => {
    // The process takes the format from the extension.
    const source = join(scratch, `file${tableExtension(fileName)}`);
    await link(file, source);
    const target = folder.pathOf(output);
    const table = await runTableProcess(options, { kind: 'convert', file: source, sheet, output: target, scratch });
    return { table, bytes: (await stat(target)).size };
  });
}

/** Appends the rows of an uploaded Parquet file to those of a table. @throws PlatformError 400 if columns differ. */
export async function appendUpload(
  folder: UploadFolder,
  { base, added, output, fileName }: { base: string; added: string; output: string; fileName: string },
): Promise<ConvertedUpload> {
  return inScratch(folder, fileName, async (scratch, options) => {
    const target = folder.pathOf(output);
    const files = { base, added: folder.pathOf(added), output: target };
    const table = await runTableProcess(options, { kind: 'append', ...files, scratch });
    return { table, bytes: (await stat(target)).size };
  });
}

async function inScratch<T>(
  folder: UploadFolder,
  fileName: string,
  work: (scratch: string, options: { readonly owner: string; readonly name: string }) => Promise<T>,
): Promise<T> {
  // Requests for the same upload can run at the same time.
  const scratch = folder.pathOf(`scratch-${randomUUID()}`);
  await mkdir(scratch);
  try {
    return await work(scratch, { owner: String(folder.info.userId), name: fileName });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
