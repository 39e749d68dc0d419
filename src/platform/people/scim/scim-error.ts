import { PlatformError } from '../../errors.js';

/** Creates the 400 for a value that an attribute cannot have (RFC 7644, section 3.12). */
export function invalid(detail: string): PlatformError {
  return new PlatformError(400, detail, { code: 'invalidValue' });
}

/** Creates the 400 for a change whose path is invalid. */
export function invalidPath(detail: string): PlatformError {
  return new PlatformError(400, detail, { code: 'invalidPath' });
}

/** Creates the 400 for a filter that is invalid or not supported. */
export function invalidFilter(detail: string, cause?: unknown): PlatformError {
  return new PlatformError(400, detail, { code: 'invalidFilter', cause });
}

/** Creates the 409 error for a name that another resource already uses. */
export function notUnique(detail: string): PlatformError {
  return new PlatformError(409, detail, { code: 'uniqueness' });
}
