import { explainFailure } from './explain-failure.js';
import { readServeOptions, type ServeOptions, serveHelp } from './serve-options.js';
import { UsageError } from './usage-error.js';

const help = `pa-platform <command>

  serve   starts the platform; pa-platform serve --help tells more`;

/** How a command ended. */
export const ExitCode = { done: 0, failed: 1, misused: 2 } as const;
/** How a command ended. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Runs a command of the terminal to its end. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    return await run(args);
  } catch (error) {
    console.error(explainFailure(error));
    return error instanceof UsageError ? ExitCode.misused : ExitCode.failed;
  }
}

async function run([command, ...rest]: readonly string[]): Promise<ExitCode> {
  if (command === '--help' || command === 'help') {
    console.log(help);
    return ExitCode.done;
  }
  if (command !== 'serve') throw new UsageError('Say what to do: pa-platform serve (pa-platform --help tells more).');
  const options = readServeOptions(rest);
  if (options === null) console.log(serveHelp);
  else await runServe(options);
  return ExitCode.done;
}

async function runServe(options: ServeOptions): Promise<void> {
  const stop = new AbortController();
  const handle = () => {
    // Whoever asks twice does not want to wait; what is left running is found again at the next start.
    if (stop.signal.aborted) process.exit(ExitCode.failed);
    stop.abort();
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  try {
    // Only here, so that help and mistakes are answered without the platform's packages.
    const { serve } = await import('./serve.js');
    await serve(options, {
      environment: process.env,
      stop: stop.signal,
      print: line => console.log(line),
      note: text => console.error(text),
    });
  } finally {
    for (const signal of signals) process.off(signal, handle);
  }
}
