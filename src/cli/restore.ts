import { Present, restoreBackup } from '../platform/store/restore.js';
import type { RestoreOptions } from './backup-options.js';
import type { CommandContext } from './command-context.js';
import { lineOfProgress } from './copy-progress.js';
import { ExitCode } from './exit-code.js';
import { Missing, withStore } from './with-store.js';

/** Fills the database of a platform from a backup. */
export async function restore({ file, store, replace }: RestoreOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, note, signal } = context;
  const { tables, rows } = await withStore(store, environment, Missing.isMade, place =>
    restoreBackup(place, {
      file,
      signal,
      present: replace ? Present.replace : Present.keep,
      onProgress: progress => note(lineOfProgress(progress)),
    }),
  );
  note(`${rows} rows of ${tables} tables are restored. Start the platform with the secret key that it had.`);
  return ExitCode.done;
}
