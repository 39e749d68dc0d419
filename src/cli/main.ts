import { explainMissingPackage } from '../platform/missing-package.js';
import { check, checkHelp, readCheckOptions } from './check.js';
import { type CommandContext, ExitCode, UsageError } from './command.js';
import { applyHelp, exportHelp, readApplyOptions, readExportOptions } from './content-options.js';
import { backupHelp, readBackupOptions, readRestoreOptions, restoreHelp } from './database-options.js';
import { initHelp, readInitOptions } from './init-options.js';
import { keyHelp, readKeyOptions } from './key-options.js';
import { watchLauncher } from './launcher.js';
import { readServeOptions, type ServeOptions, serveHelp } from './serve-options.js';
import { readUserOptions, userHelp } from './user-options.js';

/** Time limit for a signal to end the process, in milliseconds. */
const maxSignalMs = 500;

/**
 * Ends the process with a signal, without cleanup. `process.exit` waits for native code on the threads of Node, which
 * may never return.
 */
function endProcess(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Without a handler, signals do not end PID 1 of a container.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxSignalMs);
  process.abort();
}

/** Returns the message for a failed command, without content of the database. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed for an unknown reason.';
  const missing = explainMissingPackage(error);
  if (missing !== null) return missing;
  // Do not print database errors, because they contain statements and values of rows.
  if ('query' in error || 'severity' in error) return `The database rejected a statement (${codeOf(error)}).`;
  return error.message;
}

function codeOf(error: Error): string {
  const { code } = Object(error.cause ?? error);
  return typeof code === 'string' ? code : 'no code';
}

const help = `Usage: pa-platform <command>

  init    writes a model and a first dashboard for a folder of data
  serve   starts the platform
  check   validates a semantic model
  apply   creates and updates content of a deployment from files: dashboards as code
  export  writes the content of a deployment to files
  key     creates, lists and revokes API keys
  user    creates users who sign in with a password
  backup  writes the platform's own data to a file
  restore restores the database of a platform from a backup

Run pa-platform <command> --help for the options of a command.`;

/** Runs a command line and returns its exit code. */
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
    case 'init': {
      const options = readInitOptions(rest);
      if (options !== null) {
        const { init } = await import('./init.js');
        return init(options, { print: console.log, note: console.error });
      }
      console.log(initHelp);
      return ExitCode.done;
    }
    case 'check': {
      const options = readCheckOptions(rest, process.env);
      if (options !== null) return check(options, { print: console.log, note: console.error });
      console.log(checkHelp);
      return ExitCode.done;
    }
    case 'apply':
      return runCommand(readApplyOptions(rest), applyHelp, async () => {
        const { apply } = await import('./apply.js');
        const { readConfirmation } = await import('./read-confirmation.js');
        return (options, context) => apply(options, { ...context, confirm: readConfirmation(context) });
      });
    case 'export':
      return runCommand(readExportOptions(rest), exportHelp, async () => (await import('./export.js')).exportContent);
    case 'key':
      return runCommand(readKeyOptions(rest), keyHelp, async () => (await import('./key.js')).key);
    case 'user':
      return runCommand(readUserOptions(rest), userHelp, async () => {
        const { user } = await import('./user.js');
        const { readPassword } = await import('./read-password.js');
        return (options, context) => user(options, { ...context, readPassword });
      });
    case 'backup':
      return runCommand(readBackupOptions(rest), backupHelp, async () => (await import('./backup.js')).backup);
    case 'restore':
      return runCommand(readRestoreOptions(rest), restoreHelp, async () => (await import('./restore.js')).restore);
    default:
      throw new UsageError(
        `${command === undefined ? '' : `Unknown command "${command}". `}Usage: pa-platform <command>, with one of the commands init, serve, check, apply, export, key, user, backup, restore (see pa-platform --help)`,
      );
  }
}

/**
 * Runs a command until it ends or a signal stops it. Without options, prints the help text.
 * @param load - imports the command, which `--help` and usage errors do not need.
 */
async function runCommand<O>(
  options: O | null,
  help: string,
  load: () => Promise<(options: O, context: CommandContext) => Promise<ExitCode>>,
): Promise<ExitCode> {
  if (options === null) {
    console.log(help);
    return ExitCode.done;
  }
  const command = await load();
  return untilStopped(context => command(options, context));
}

/** Time limit for a graceful stop, in ms. Service managers kill a process 10 seconds after SIGTERM. */
const maxStopMs = 9500;

async function runServe(options: ServeOptions): Promise<void> {
  await untilStopped(async ({ environment, signal, print, note }) => {
    const exitNow = (reason: string) => {
      note(`${reason} Ending the process without cleanup.`);
      endProcess('SIGTERM');
    };
    const onStop = () => setTimeout(exitNow, maxStopMs, 'The platform did not stop in time.');
    signal.addEventListener('abort', onStop, { once: true });
    // Import the module here, so that --help and usage errors need none of the platform's packages.
    const { serve } = await import('./serve.js');
    try {
      await serve(options, { environment, stop: signal, print, note, output: process.stdout });
    } catch (error) {
      if (!signal.aborted) throw error;
      // Resources that failed to close may keep the process running.
      exitNow(explainFailure(error));
    }
    return ExitCode.done;
  });
}

/**
 * Runs a command with a signal that aborts on SIGTERM, SIGINT, SIGHUP, or when the npm that started the process ends.
 */
async function untilStopped(command: (context: CommandContext) => Promise<ExitCode>): Promise<ExitCode> {
  const stop = new AbortController();
  const handle = (signal: NodeJS.Signals) => {
    // A second signal ends the process immediately. The next start cleans up what remains.
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
