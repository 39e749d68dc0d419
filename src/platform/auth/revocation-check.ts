import { setImmediate } from 'node:timers/promises';
import { PlatformError } from '../errors.js';

/** Finds those of the sessions that were revoked. */
export type FindRevoked = (sessionKeys: readonly string[]) => Promise<ReadonlySet<string>>;

/** Bounds of a check. */
export interface RevocationCheckOptions {
  /** Sessions that one lookup asks for; 500 by default. */
  readonly maxKeys?: number;
  /** How long one lookup may take, so that a database that hangs doesn't hold all requests to come; 10 seconds by default. */
  readonly timeoutMs?: number;
}

interface Batch {
  readonly keys: Set<string>;
  readonly revoked: Promise<ReadonlySet<string>>;
  readonly settle: (revoked: Promise<ReadonlySet<string>>) => void;
}

/**
 * Tells whether a session was revoked, always by a lookup that begins after it was asked: a revoked session is refused at the next
 * request, whichever replica revoked it. Requests that come in while a lookup is under way share the next one.
 * @returns a function that throws what the lookup throws, and PlatformError 503 when it takes too long.
 */
export function createRevocationCheck(
  find: FindRevoked,
  { maxKeys = 500, timeoutMs = 10_000 }: RevocationCheckOptions = {},
): (sessionKey: string) => Promise<boolean> {
  const waiting: Batch[] = [];
  let running = false;

  /** A batch that has begun takes no one in any more. */
  async function work(): Promise<void> {
    running = true;
    // What arrives in the same turn of the event loop shares the first lookup too.
    await setImmediate();
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const found = withinTime(() => find([...batch.keys]), timeoutMs);
      batch.settle(found);
      await found.catch(() => undefined);
    }
    running = false;
  }

  return async sessionKey => {
    const last = waiting.at(-1);
    const batch = last && last.keys.size < maxKeys ? last : newBatch();
    if (batch !== last) waiting.push(batch);
    batch.keys.add(sessionKey);
    if (!running) void work();
    return (await batch.revoked).has(sessionKey);
  };
}

function newBatch(): Batch {
  let settle: Batch['settle'] = () => {};
  const revoked = new Promise<ReadonlySet<string>>(resolve => {
    settle = resolve;
  });
  return { keys: new Set(), revoked, settle };
}

async function withinTime<T>(begin: () => Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new PlatformError(503, 'The platform can not check the session now: try again in a moment.')),
      limitMs,
    );
  });
  try {
    return await Promise.race([begin(), late]);
  } finally {
    clearTimeout(timer);
  }
}
