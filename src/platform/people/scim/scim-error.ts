import { PlatformError } from '../../errors.js';

/** The 400 for a value that an attribute cannot have (RFC 7644, 3.12). */
export function invalid(detail: string): PlatformError {
  return new PlatformError(400, detail, { code: 'invalidValue' });
}

/** The 400 for a path of a change that cannot be read. */
export function invalidPath(detail: string): PlatformError {
  return new PlatformError(400, detail, { code: 'invalidPath' });
}

/** The 400 for a filter that cannot be read or is not supported. */
export function invalidFilter(detail: string, cause?: unknown): PlatformError {
  return new PlatformError(400, detail, { code: 'invalidFilter', cause });
}

/** The 409 for a name that another resource has. */
export function notUnique(detail: string): PlatformError {
  return new PlatformError(409, detail, { code: 'uniqueness' });
}
