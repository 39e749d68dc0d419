import { STATUS_CODES } from 'node:http';
import type { PlatformErrorBody } from '../contract/error.js';

/** What a body of the Platform API says of an error. */
export interface ErrorFacts {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
}

/** The body of an error of the Platform and Chat API (spec 7). */
export function platformBody({ status, message, code }: ErrorFacts): PlatformErrorBody {
  const error = STATUS_CODES[status] ?? 'Error';
  return code === undefined ? { statusCode: status, message, error } : { statusCode: status, message, error, code };
}
