import { newModelFile } from '../../../contract/data-model.js';
import { ErrorCode } from '../../../contract/error.js';
import { PlatformError } from '../../errors.js';
import type { GitObjects } from './objects.js';

/**
 * Maximum size of all contents in an error, in characters. For files beyond this size, the error contains only hashes.
 */
const maxContent = 2_000_000;

/** Hashes that files must have before a change, by path; `newModelFile` for a file that must not exist. */
export type ExpectedFiles = ReadonlyMap<string, string>;

/**
 * Checks that files still have the content that a caller has read.
 * @param commit - the current files of the branch.
 * @throws PlatformError 409 with the current content and the content that the caller has read, if they differ. Contents
 * that would make the error too large are `null`.
 */
export async function checkExpectedFiles(objects: GitObjects, commit: string, expected: ExpectedFiles): Promise<void> {
  if (expected.size === 0) return;
  const files = new Map((await objects.files(commit)).map(({ path, hash }) => [path, hash]));
  const changed = [...expected].filter(([path, hash]) => (files.get(path) ?? newModelFile) !== hash);
  if (changed.length === 0) return;
  let length = 0;
  const contentOf = async (hash: string): Promise<string | null> => {
    if (length > maxContent) return null;
    const content = await objects.readBlob(hash);
    length += content?.length ?? 0;
    return length > maxContent ? null : content;
  };
  const conflicts = [];
  for (const [path, baseHash] of changed) {
    const currentHash = files.get(path) ?? null;
    conflicts.push({
      path,
      baseHash,
      base: baseHash === newModelFile ? null : await contentOf(baseHash),
      currentHash,
      current: currentHash === null ? null : await contentOf(currentHash),
    });
  }
  const names = changed.map(([path]) => path).join(', ');
  throw new PlatformError(
    409,
    `The files were changed since they were read: ${names}. Merge your changes with the current content.`,
    { code: ErrorCode.fileConflict, details: { conflicts } },
  );
}
