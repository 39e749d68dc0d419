import { backUp } from '../platform/db/backup/backup.js';
import { type CommandContext, ExitCode } from './command.js';
import type { BackupOptions } from './database-options.js';
import { MissingDatabase, progressLine, withStore } from './with-store.js';

/** Writes the platform's own data to a file. */
export async function backup({ file, store }: BackupOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, note, signal } = context;
  const { tables, rows, bytes } = await withStore(store, environment, MissingDatabase.reject, place =>
    backUp(place, { file, signal, onProgress: progress => note(progressLine(progress)) }),
  );
  note(
    `Backed up ${rows} rows of ${tables} tables to ${file} (${bytes} bytes). Restoring it requires the secret key of this platform.`,
  );
  return ExitCode.done;
}
