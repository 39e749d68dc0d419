import { PlatformError } from '../../errors.js';

/** Returns the weak entity tag of a revision (RFC 7644, section 3.14). */
export function entityTag(revision: number): string {
  return `W/"${revision}"`;
}

/**
 * Checks `If-Match`, so that a change applies only to the revision that the caller has read.
 * @throws PlatformError 412
 */
export function requireMatch(request: Request, revision: number): void {
  const requested = request.headers.get('if-match');
  if (requested === null || includes(requested, revision)) return;
  throw new PlatformError(412, 'The resource has changed since this version. Read it again.');
}

/** True if `If-None-Match` contains the revision, which the caller then already has. */
export function isKnown(request: Request, revision: number): boolean {
  const known = request.headers.get('if-none-match');
  return known !== null && includes(known, revision);
}

function includes(header: string, revision: number): boolean {
  return header.split(',').some(each => ['*', `"${revision}"`].includes(each.trim().replace(/^W\//i, '')));
}
