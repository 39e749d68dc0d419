import { backUp } from '../platform/store/backup.js';
import type { BackupOptions } from './backup-options.js';
import type { CommandContext } from './command-context.js';
import { lineOfProgress } from './copy-progress.js';
import { ExitCode } from './exit-code.js';
import { Missing, withStore } from './with-store.js';

/** Writes all of a platform's own data to a file. */
export async function backup({ file, store }: BackupOptions, context: CommandContext): Promise<ExitCode> {
  const { environment, note, signal } = context;
  const { tables, rows, bytes } = await withStore(store, environment, Missing.isRefused, place =>
    backUp(place, { file, signal, onProgress: progress => note(lineOfProgress(progress)) }),
  );
  note(`${file} holds ${rows} rows of ${tables} tables, in ${bytes} bytes. It needs the secret key of this platform.`);
  return ExitCode.done;
}
