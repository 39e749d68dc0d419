import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What was asked for can't be understood: its message is one sentence for the terminal, and the exit code is 2. */
export class UsageError extends Error {
  /** @param message - one sentence that says what to write instead. */
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
 * Reads the flags of a command; nothing else may stand on its line.
 * @throws UsageError
 */
export function parseFlags<F extends Flags>(command: string, args: readonly string[], flags: F): Parsed<F> {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's texts go on with advice for cases that aren't ours.
    const [sentence = ''] = error.message.split(/\.?(?:\n|$)|\. /);
    throw new UsageError(`${sentence}: see pa-platform ${command} --help.`);
  }
}

/**
 * Reads the whole number of a flag.
 * @throws UsageError
 */
export function readNumber(flag: string, text: string, least: number, most: number): number {
  if (/^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UsageError(`--${flag} must be a number from ${least} to ${most}.`);
}

/** How a command ended. */
export const ExitCode = { done: 0, failed: 1, misused: 2 } as const;
/** How a command ended. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** What a command that speaks to a platform is given. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly note: (text: string) => void;
}
