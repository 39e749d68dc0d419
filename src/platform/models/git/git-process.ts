import { spawn } from 'node:child_process';

/** A git command that the platform sends to the process. */
export interface GitCommand {
  readonly id: number;
  readonly args: readonly string[];
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxOutputBytes: number;
  readonly timeoutMs: number;
}

/** The result of the command with the same id. `code` is -1 if the command was stopped by a signal. */
export type GitReply =
  | { readonly id: number; readonly code: number; readonly output: Buffer }
  | { readonly id: number; readonly problem: 'not found' | 'output too large' };

// The main module of a process that starts the git commands of a platform. To start a command, the system copies the
// memory map of the process that starts it, and blocks that process meanwhile: milliseconds for each 100 MB of the
// platform, but almost no time for this small process.

function run({ args, input, env, maxOutputBytes, timeoutMs }: GitCommand): Promise<Omit<GitReply, 'id'>> {
  return new Promise(resolve => {
    const child = spawn('git', args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.on('error', () => resolve({ problem: 'not found' }));
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('close', code => {
      if (size > maxOutputBytes) resolve({ problem: 'output too large' });
      else resolve({ code: code ?? -1, output: Buffer.concat(chunks) });
    });
    // Ignore the error, because a process that ends without reading its input reports its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

process.on('message', (command: GitCommand) => {
  void run(command).then(result => process.send?.({ id: command.id, ...result }, () => undefined));
});
// The platform completes its changes after these signals, which a terminal sends to both processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
