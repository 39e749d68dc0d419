import { maxModelBytes } from '../../../contract/data-model.js';
import { PlatformError } from '../../errors.js';
import type { RepositoryFile } from './objects.js';
import { isModelFile, isSafePath } from './paths.js';
import { OutputLimitError, runGit } from './run-git.js';

const limits = { files: 1_000, bytes: 20_000_000 } as const;
const maxNamedFiles = 5;
/** Maximum size of the list of files of a commit, in bytes. A branch can have 1,000 files. */
const maxTreeBytes = 1_000_000;

/** Checks the number and the size of the files of a branch. @throws PlatformError 400 */
export function checkSizes(files: readonly Pick<RepositoryFile, 'path' | 'bytes'>[]): void {
  const total = (counted: typeof files) => counted.reduce((sum, { bytes }) => sum + bytes, 0);
  if (files.length > limits.files || total(files) > limits.bytes) {
    throw new PlatformError(400, `A branch can have at most ${limits.files} files and ${limits.bytes / 1e6} MB.`);
  }
  if (total(files.filter(({ path }) => isModelFile(path))) > maxModelBytes) {
    throw new PlatformError(400, `The model files of a branch can have at most ${maxModelBytes / 1e6} MB in total.`);
  }
}

/**
 * Checks that a commit or tree contains only regular files with safe paths. The history of a connected repository can
 * contain other files.
 * @param subject - where the files come from, such as `The repository`.
 * @throws PlatformError 409
 */
export async function checkFileTypes(directory: string, tree: string, subject: string): Promise<void> {
  const output = await listTree(directory, tree, subject);
  const entries = output
    .toString()
    .split('\0')
    .filter(entry => entry !== '');
  const rejected = entries.flatMap(entry => {
    const [, mode = '', path = ''] = /^(\d+) [^\t]*\t(.*)$/s.exec(entry) ?? [];
    if (!mode.startsWith('100')) return [`${printable(path)} (${mode === '120000' ? 'symbolic link' : 'submodule'})`];
    return isSafePath(path) ? [] : [`${printable(path)} (path)`];
  });
  if (rejected.length === 0) return;
  const names = rejected.slice(0, maxNamedFiles).join(', ');
  throw new PlatformError(409, `${subject} contains files that are not supported: ${names}. Nothing was changed.`);
}

/** Lists the files of a commit. Limits the output before it is read, because a small pack can contain many paths. */
async function listTree(directory: string, tree: string, subject: string): Promise<Buffer> {
  try {
    const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
    return (await runGit(directory, args, { maxOutputBytes: maxTreeBytes })).output;
  } catch (error) {
    if (!(error instanceof OutputLimitError)) throw error;
    throw new PlatformError(409, `${subject} has too many files.`, { cause: error });
  }
}

/** Returns a path for a message. */
function printable(path: string): string {
  return path.replace(/[\p{C}\uFFFD]/gu, '?').slice(0, 100);
}
