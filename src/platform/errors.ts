/** Fields of an HTTP error response in addition to its message. */
interface PlatformErrorOptions {
  /** A code of `contract/error`, if clients need to distinguish cases. */
  readonly code?: string;
  /** Seconds until a retry is useful, if known. */
  readonly retryAfter?: number;
  /** Fields that the body of a Platform API response has in addition, such as the files of a conflict. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * An error whose message is returned to the client unchanged, so it must not contain tokens, keys or values of rows.
 * Any other error becomes a 500 without details.
 */
export class PlatformError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  /** @param status - HTTP status, 400 to 599. */
  constructor(status: number, message: string, options: PlatformErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlatformError';
    this.status = status;
    this.code = options.code;
    this.retryAfter = options.retryAfter;
    this.details = options.details;
  }
}

/** Creates the error for a request that the client has aborted. The client does not receive it. */
export function abortedError(): PlatformError {
  return new PlatformError(499, 'The request was aborted.');
}

/**
 * A failure whose message can be logged. It may contain names from a model, but never values. The client receives a 500
 * without details.
 */
export class LoggableError extends Error {
  /** @param message - describes the problem to the operator. */
  constructor(message: string) {
    super(message);
    this.name = 'LoggableError';
  }
}

/**
 * Describes an error for the log: its name and stack. Includes the message only for a `LoggableError`, because messages
 * of the database contain values of rows, and messages of libraries can contain anything.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { stack = '', message, name } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length).match(/^\s+at .*$/gm) ?? [];
  const cause = error.cause === undefined ? '' : ` (cause: ${describeFailure(error.cause)})`;
  const details = ['code', 'constraint'].map(key => detail(error, key)).join('');
  const reason = error instanceof LoggableError ? `: ${message}` : '';
  return `${name}${reason}${details}${cause}${frames
    .slice(0, 6)
    .map(frame => `\n${frame}`)
    .join('')}`;
}

function detail(error: Error, key: string): string {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' && /^\w{1,100}$/.test(value) ? ` ${key}=${value}` : '';
}
