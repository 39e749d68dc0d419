import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearestName } from '../contract/nearest-name.js';

/** Invalid command-line usage. The message is printed as is; the exit code is 2. */
export class UsageError extends Error {
  /** @param message - one sentence that says how to fix the command line. */
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

type Flags = NonNullable<ParseArgsConfig['options']>;
type Parsed<F extends Flags> = ReturnType<
  typeof parseArgs<{ args: string[]; options: F; strict: true; allowPositionals: false }>
>['values'];

/**
 * Parses the flags of a command. Rejects positional arguments.
 * @throws UsageError
 */
export function parseFlags<F extends Flags>(command: string, args: readonly string[], flags: F): Parsed<F> {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Keep only the first sentence, because the further advice of Node does not apply to these commands.
    const [sentence = ''] = error.message.split(/\.?(?:\n|$)|\. /);
    const near = nearestName(/^Unknown option '--([^']+)'/.exec(sentence)?.[1] ?? '', Object.keys(flags));
    throw new UsageError(
      `${sentence}. ${near === undefined ? '' : `Did you mean '--${near}'? `}See pa-platform ${command} --help.`,
    );
  }
}

/**
 * Parses a whole number within the limits.
 * @throws UsageError
 */
export function readNumber(flag: string, text: string, min: number, max: number): number {
  if (/^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, not "${text}".`);
}

/** Returns a number with its noun: `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Exit code of a command. */
export const ExitCode = { done: 0, failed: 1, misused: 2 } as const;
/** Exit code of a command. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Environment, abort signal and output of a command. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly note: (text: string) => void;
}
