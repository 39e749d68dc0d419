import { PlatformError } from '../../errors.js';

/** Weak entity tag of a revision (RFC 7644, 3.14). */
export function entityTag(revision: number): string {
  return `W/"${revision}"`;
}

/**
 * Checks `If-Match`: the change applies to the revision that the caller has read.
 * @throws PlatformError 412
 */
export function requireMatch(request: Request, revision: number): void {
  const wanted = request.headers.get('if-match');
  if (wanted === null || includes(wanted, revision)) return;
  throw new PlatformError(412, 'The resource has changed since this version. Read it again.');
}

/** True if `If-None-Match` contains the revision: the caller has it already. */
export function isKnown(request: Request, revision: number): boolean {
  const known = request.headers.get('if-none-match');
  return known !== null && includes(known, revision);
}

function includes(header: string, revision: number): boolean {
  return header.split(',').some(each => ['*', `"${revision}"`].includes(each.trim().replace(/^W\//i, '')));
}
