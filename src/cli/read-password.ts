import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';

/** Input of `readPassword`. */
export interface PasswordInput {
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
  /** The terminal, or a stream whose first line is the password; stdin by default. */
  readonly stream?: Readable & { readonly isTTY?: boolean };
}

/**
 * Reads a password twice from the terminal, without echo, or once from the first line of another stream.
 * @throws Error if there is none, or if both entries differ.
 */
export async function readPassword({ note, signal, stream = process.stdin }: PasswordInput): Promise<string> {
  const isTerminal = stream.isTTY === true;
  // Readline echoes the input to this stream, which discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stream, output, terminal: isTerminal });
  // In raw mode, the terminal sends no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    if (!isTerminal) return await firstLine(lines);
    note('Password:');
    const password = await lines.question('', { signal });
    note('Repeat the password:');
    if ((await lines.question('', { signal })) === password) return password;
  } finally {
    lines.close();
  }
  throw new Error('The passwords differ. Run the command again.');
}

async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line !== '') return line;
  throw new Error('Missing password: write it to stdin, or run the command in a terminal.');
}
