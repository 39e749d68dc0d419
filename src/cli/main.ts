import { backupHelp, readBackupOptions, readRestoreOptions, restoreHelp } from './backup-options.js';
import { check, checkHelp, readCheckOptions } from './check.js';
import type { CommandContext } from './command-context.js';
import { applyHelp, exportHelp, readApplyOptions, readExportOptions } from './content-options.js';
import { endProcess } from './end-process.js';
import { ExitCode } from './exit-code.js';
import { explainFailure } from './explain-failure.js';
import { keyHelp, readKeyOptions } from './key-options.js';
import { watchLauncher } from './launcher.js';
import { readServeOptions, type ServeOptions, serveHelp } from './serve-options.js';
import { UsageError } from './usage-error.js';

const help = `pa-platform <command>

  serve   starts the platform
  check   says whether a semantic model would serve, and what is wrong with it
  apply   makes a deployment hold what the files of a folder say: dashboards as code
  export  writes what a deployment holds into such files
  key     makes, lists and revokes API keys
  backup  writes all of a platform's own data to a file
  restore fills the database of a platform from such a file

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
    case 'apply': {
      const options = readApplyOptions(rest);
      if (options !== null) {
        const { apply } = await import('./apply.js');
        return untilStopped(context => apply(options, context));
      }
      console.log(applyHelp);
      return ExitCode.done;
    }
    case 'export': {
      const options = readExportOptions(rest);
      if (options !== null) {
        const { exportContent } = await import('./export.js');
        return untilStopped(context => exportContent(options, context));
      }
      console.log(exportHelp);
      return ExitCode.done;
    }
    case 'key': {
      const options = readKeyOptions(rest);
      if (options !== null) {
        const { key } = await import('./key.js');
        return untilStopped(context => key(options, context));
      }
      console.log(keyHelp);
      return ExitCode.done;
    }
    case 'backup': {
      const options = readBackupOptions(rest);
      if (options !== null) {
        const { backup } = await import('./backup.js');
        return untilStopped(context => backup(options, context));
      }
      console.log(backupHelp);
      return ExitCode.done;
    }
    case 'restore': {
      const options = readRestoreOptions(rest);
      if (options !== null) {
        const { restore } = await import('./restore.js');
        return untilStopped(context => restore(options, context));
      }
      console.log(restoreHelp);
      return ExitCode.done;
    }
    default:
      throw new UsageError(
        'Say what to do: pa-platform serve, check, apply, export, key, backup or restore (pa-platform --help tells more).',
      );
  }
}

/** Service managers kill a process 10 seconds after SIGTERM, and what it would give back with it. */
const maxStopMs = 9500;

async function runServe(options: ServeOptions): Promise<void> {
  await untilStopped(async ({ environment, signal, print, note }) => {
    const giveUp = (reason: string) => {
      note(`${reason} The process ends without it.`);
      endProcess('SIGTERM');
    };
    const onStop = () => setTimeout(giveUp, maxStopMs, 'The platform did not stop in time.');
    signal.addEventListener('abort', onStop, { once: true });
    // Only here, so that help and mistakes are answered without the platform's packages.
    const { serve } = await import('./serve.js');
    try {
      await serve(options, { environment, stop: signal, print, note, output: process.stdout });
    } catch (error) {
      if (!signal.aborted) throw error;
      // What could not be closed may keep the process.
      giveUp(explainFailure(error));
    }
    return ExitCode.done;
  });
}

/** Runs a command that ends on a signal, or when the npm that started it ends. */
async function untilStopped(command: (context: CommandContext) => Promise<ExitCode>): Promise<ExitCode> {
  const stop = new AbortController();
  const handle = (signal: NodeJS.Signals) => {
    // Whoever asks twice does not want to wait; what is left running is found again at the next start.
    if (stop.signal.aborted) endProcess(signal);
    stop.abort();
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  const unwatch = watchLauncher(() => stop.abort());
  try {
    const print = (line: string): void => console.log(line);
    const note = (text: string): void => console.error(text);
    return await command({ environment: process.env, signal: stop.signal, print, note });
  } finally {
    unwatch();
    for (const signal of signals) process.off(signal, handle);
  }
}
