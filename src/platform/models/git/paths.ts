import { PlatformError } from '../../errors.js';

/** The branch whose model is served as production. */
export const deployBranch = 'main';
/** Folder that contains the model files. Other files of a repository are only stored. */
const modelFolder = 'model/';

const branchPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:[./+@][A-Za-z0-9_-]+)*$/;
const maxBranch = 200;

/** True if a string is a valid branch name: a subset of the names that git allows. */
export function isBranchName(text: string): boolean {
  return text.length <= maxBranch && branchPattern.test(text) && !/\.lock(?:\/|$)/.test(text);
}

const pathPattern = /^[A-Za-z0-9_-][A-Za-z0-9_. -]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_. -]*)*$/;
const maxPath = 300;

/**
 * Checks the path of a file: names of letters, digits and `_-. `, which do not begin with a dot.
 * @param field - name of the field, for the error message.
 * @throws PlatformError 400
 */
export function checkPath(path: string, field: string): void {
  if (path.length <= maxPath && pathPattern.test(path) && !/[. ](?:\/|$)/.test(path)) return;
  throw new PlatformError(
    400,
    `${field}: must be a path such as model/cubes/flights.yml, without names that begin with a dot`,
  );
}

/** True if a file is part of the model. */
export function isModelFile(path: string): boolean {
  return path.startsWith(modelFolder) && /\.ya?ml$/.test(path);
}

/** Characters that a path of a fetched file must not contain: invisible ones, and those that file systems interpret. */
const unsafeCharacters = /[\p{C}\uFFFD\\:*?"<>|~]/u;

/**
 * True if a file of a connected repository may have this path. In contrast to `checkPath`, names may begin with a dot,
 * and contain any letters, because repositories also contain files that are not part of the model.
 */
export function isSafePath(path: string): boolean {
  const names = path.split('/');
  const isSafeName = (name: string) => !['', '.', '..', '.git'].includes(name.toLowerCase()) && !/[. ]$/.test(name);
  return path.length <= maxPath && !unsafeCharacters.test(path) && names.every(isSafeName);
}
