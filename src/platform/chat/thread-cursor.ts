import { PlatformError } from '../errors.js';
import type { ThreadPlace } from '../store/chat-threads.js';

/** Where the page behind a thread begins, as an opaque text. */
export function writeThreadCursor({ id, updatedAt }: ThreadPlace): string {
  return Buffer.from(`${updatedAt.getTime()} ${id}`).toString('base64url');
}

/** Later than any thread, and as late as the database can say. */
const latest = Date.UTC(9999, 0);

/** @throws PlatformError 400 for what is no such text. */
export function readThreadCursor(cursor: string): ThreadPlace {
  const [, time, id] = /^(\d{1,15}) ([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined || Number(time) > latest) {
    throw new PlatformError(400, 'query.after: is not a cursor of this list');
  }
  return { id, updatedAt: new Date(Number(time)) };
}
