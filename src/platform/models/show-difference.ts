import type { ModelFileChange } from '../../contract/model-history.js';
import type { FileDifference } from './git/objects.js';

/** Returns a changed file of a branch for a response. */
export function showDifference({ path, oldHash, newHash }: FileDifference): ModelFileChange {
  const status = newHash === null ? 'deleted' : 'modified';
  return {
    path,
    status: oldHash === null ? 'added' : status,
    ...(oldHash !== null && { baseHash: oldHash }),
    ...(newHash !== null && { hash: newHash }),
  };
}
