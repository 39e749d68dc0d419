import { ExistingData, restoreBackup } from '../platform/db/backup/restore.js';
import { type CommandContext, ExitCode } from './command.js';
import type { RestoreOptions } from './database-options.js';
import { MissingDatabase, progressLine, withStore } from './with-store.js';

/** Restores the database of a platform from a backup. */
export async function restore({ file, store, replace }: RestoreOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, note, signal } = context;
  const { tables, rows } = await withStore(store, environment, MissingDatabase.create, place =>
    restoreBackup(place, {
      file,
      signal,
      present: replace ? ExistingData.replace : ExistingData.keep,
      onProgress: progress => note(progressLine(progress)),
    }),
  );
  note(`Restored ${rows} rows in ${tables} tables. Start the platform with the secret key of the backed-up platform.`);
  return ExitCode.done;
}
