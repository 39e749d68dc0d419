import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

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
