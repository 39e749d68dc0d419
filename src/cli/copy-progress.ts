import type { CopyProgress } from '../platform/store/backup.js';

/** How far a table is copied, as a line. */
export function lineOfProgress({ table, rows, of }: CopyProgress): string {
  return rows === of ? `${table}: ${rows}` : `${table}: ${rows} of ${of}`;
}
