import { readFileSync } from 'node:fs';
import { check, checkHelp, readCheckOptions } from './check.js';
import { type CommandContext, ExitCode, UsageError } from './command.js';
import { applyHelp, exportHelp, readApplyOptions, readExportOptions } from './content-options.js';
import { backupHelp, readBackupOptions, readRestoreOptions, restoreHelp } from './database-options.js';
import { keyHelp, readKeyOptions } from './key-options.js';
import { watchLauncher } from './launcher.js';
import { readServeOptions, type ServeOptions, serveHelp } from './serve-options.js';

/** How long a signal may take to end the process, in milliseconds. */
const maxSignalMs = 500;

/**
 * Ends the process by a signal, whatever runs in it. `process.exit` waits for native code on the threads of Node, which may never
 * return. Nothing is given back.
 */
function endProcess(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container does not receive a signal without a handler.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxSignalMs);
  process.abort();
}

const missingPackage = /^Cannot find (?:package|module) '([^']+)'/;

/** Why a command failed, as it may stand on a terminal or in a log. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed.';
  const name =
    'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' ? missingPackage.exec(error.message)?.[1] : undefined;
  if (name !== undefined && !name.startsWith('/')) return explainMissing(name);
  // A database puts statements and the values of rows into its messages.
  if ('query' in error || 'severity' in error) return `The database refused a statement (${codeOf(error)}).`;
  return error.message;
}

function codeOf(error: Error): string {
  const { code } = Object(error.cause ?? error);
  return typeof code === 'string' ? code : 'no code';
}

/** The platform's packages are optional peers, so that a web page doesn't pull them in; here they are needed, all of them. */
function explainMissing(name: string): string {
  const manifest: { peerDependencies?: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const peers = Object.entries(manifest.peerDependencies ?? {}).map(([peer, version]) => `${peer}@${version}`);
  return `The package ${name} is missing, which the platform needs: npm install ${peers.join(' ')}`;
}

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
