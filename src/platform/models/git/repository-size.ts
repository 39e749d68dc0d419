import { PlatformError } from '../../errors.js';
import { type FileChanges, GitObjects } from './objects.js';
import { sizeOfObjects } from './run-remote-git.js';

/** Maximum size of all objects of a repository, in bytes. */
export const maxRepositoryBytes = 500_000_000;

/** Other processes add objects too, so sizes are measured again after this time. */
const measuredForMs = 10 * 60_000;
/** Number of repositories whose size is remembered. */
const maxKnown = 500;

interface KnownSize {
  /** Not less than the size, because git compresses new objects. */
  bytes: number;
  readonly measuredAt: number;
}

/** Sizes by folder, least recently measured first. Measuring reads the metadata of thousands of files. */
const known = new Map<string, KnownSize>();

/**
 * Checks that a write does not make a repository too large. If it does, packs the repository and checks again.
 * @param added - size of the written files in bytes.
 * @throws PlatformError 409 if the repository would still be too large.
 */
export async function requireSpace(directory: string, added: number, maxBytes = maxRepositoryBytes): Promise<void> {
  const found = known.get(directory);
  const isRecent = found !== undefined && Date.now() - found.measuredAt < measuredForMs;
  if (isRecent && found.bytes + added <= maxBytes) {
    found.bytes += added;
    return;
  }
  if ((await measure(directory, added)) <= maxBytes) return;
  await new GitObjects(directory).pack();
  if ((await measure(directory, added)) <= maxBytes) return;
  throw new PlatformError(
    409,
    `The history of the deployment would have more than ${maxBytes / 1e6} MB. Nothing was changed. Delete branches that are not used, or create another deployment.`,
  );
}

/**
 * Checks that changed files do not make a repository too large.
 * @throws PlatformError 409 if they do.
 */
export async function requireSpaceFor(directory: string, changes: FileChanges): Promise<void> {
  const sizes = [...changes.values()].map(content => Buffer.byteLength(content ?? ''));
  await requireSpace(
    directory,
    sizes.reduce((sum, size) => sum + size, 0),
  );
}

async function measure(directory: string, added: number): Promise<number> {
  const bytes = (await sizeOfObjects(directory)) + added;
  known.delete(directory);
  known.set(directory, { bytes, measuredAt: Date.now() });
  for (const oldest of known.keys()) {
    if (known.size <= maxKnown) break;
    known.delete(oldest);
  }
  return bytes;
}
