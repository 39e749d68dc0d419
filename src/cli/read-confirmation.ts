import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './command.js';

/** Returns a function that prompts for an answer in the terminal; `null` if the command does not run in a terminal. */
export function readConfirmation({
  signal,
}: Pick<CommandContext, 'signal'>): ((question: string) => Promise<boolean>) | null {
  if (!process.stdin.isTTY) return null;
  return async question => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // In raw mode, the terminal sends no signal.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
    } finally {
      lines.close();
    }
  };
}
