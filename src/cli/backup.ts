import { backUp } from '../platform/db/backup/backup.js';
import { type CommandContext, ExitCode } from './command.js';
import type { BackupOptions } from './database-options.js';
import { MissingDatabase, progressLine, withStore } from './with-store.js';

/** Writes all of a platform's own data to a file. */
export async function backup({ file, store }: BackupOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, note, signal } = context;
  const { tables, rows, bytes } = await withStore(store, environment, MissingDatabase.isRefused, place =>
    backUp(place, { file, signal, onProgress: progress => note(progressLine(progress)) }),
  );
  note(`${file} holds ${rows} rows of ${tables} tables, in ${bytes} bytes. It needs the secret key of this platform.`);
  return ExitCode.done;
}
