import { LoggableError } from './errors.js';

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
