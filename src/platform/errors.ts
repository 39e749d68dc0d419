/** What an HTTP error answer says beside its message. */
interface PlatformErrorOptions {
  /** A code of `contract/error`, where a program must tell cases apart. */
  readonly code?: string;
  /** Seconds until it is worth asking again, where that is known. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * The platform's one error: what it says goes to the caller as it stands, so it never holds a token, a key or the values of a row.
 * Anything else that is thrown becomes a 500 without details.
 */
export class PlatformError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: number | undefined;

  /** @param status - HTTP status, 400 to 599. */
  constructor(status: number, message: string, options: PlatformErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlatformError';
    this.status = status;
    this.code = options.code;
    this.retryAfter = options.retryAfter;
  }
}

/** The answer to a request that its caller has called off: nobody reads it. */
export function abortedError(): PlatformError {
  return new PlatformError(499, 'The request was aborted.');
}

/** A failure whose message may stand in a log as it is: it speaks of names in a model, never of a value. To a caller it is a 500. */
export class LoggableError extends Error {
  /** @param message - what the operator should look at. */
  constructor(message: string) {
    super(message);
    this.name = 'LoggableError';
  }
}

/**
 * An error as it may stand in a log: what kind it is and where it was thrown, but not its message, unless that was made for it.
 * A database puts the values of rows into messages, and a library may put anything there.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { stack = '', message, name } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length).match(/^\s+at .*$/gm) ?? [];
  const cause = error.cause === undefined ? '' : ` (cause: ${describeFailure(error.cause)})`;
  const details = ['code', 'constraint'].map(key => detail(error, key)).join('');
  const told = error instanceof LoggableError ? `: ${message}` : '';
  return `${name}${told}${details}${cause}${frames
    .slice(0, 6)
    .map(frame => `\n${frame}`)
    .join('')}`;
}

function detail(error: Error, key: string): string {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' && /^\w{1,100}$/.test(value) ? ` ${key}=${value}` : '';
}
