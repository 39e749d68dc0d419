import { check, checkHelp, readCheckOptions } from './check.js';
import { ExitCode } from './exit-code.js';
import { explainFailure } from './explain-failure.js';
import { readServeOptions, type ServeOptions, serveHelp } from './serve-options.js';
import { UsageError } from './usage-error.js';

const help = `pa-platform <command>

  serve   starts the platform
  check   says whether a semantic model would serve, and what is wrong with it

pa-platform <command> --help tells more.`;

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
  switch (command) {
    case '--help':
    case 'help':
      console.log(help);
      return ExitCode.done;
    case 'serve': {
      const options = readServeOptions(rest);
      if (options === null) console.log(serveHelp);
      else await runServe(options);
      return ExitCode.done;
    }
    case 'check': {
      const options = readCheckOptions(rest, process.env);
      if (options !== null) return check(options, { print: console.log, note: console.error });
      console.log(checkHelp);
      return ExitCode.done;
    }
    default:
      throw new UsageError('Say what to do: pa-platform serve or check (pa-platform --help tells more).');
  }
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
      output: process.stdout,
    });
  } finally {
    for (const signal of signals) process.off(signal, handle);
  }
}
