import pg from 'pg';
import { backOff } from '../runtime/retry.js';

/** Receives notifications until it is closed. */
export interface ChannelListener {
  close(): Promise<void>;
}

const initialWaitMs = 250;
const maxWaitMs = 30_000;

/**
 * Listens to a channel on a dedicated connection and reconnects after failures. Notifications are lost while
 * disconnected, so `onNotify` is also called after every connect, and callers must also poll from time to time.
 * @param channel - name of the channel.
 * @param onNotify - must not throw.
 */
export function listenTo(config: pg.ClientConfig, channel: string, onNotify: () => void): ChannelListener {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;
  let connecting = connect();

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...config, keepAlive: true });
    next.on('notification', onNotify);
    // Handle only the first report, because a failed connect, an error and the end of a connection may be reported
    // together.
    const onDisconnect = once(() => reconnect(next));
    next.on('error', onDisconnect);
    next.on('end', onDisconnect);
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      onDisconnect();
      return;
    }
    client = next;
    failures = 0;
    if (isClosed) await next.end();
    else onNotify();
  }

  function reconnect(lost: pg.Client): void {
    if (client === lost) client = null;
    // Ignore the error, because the connection is already broken.
    lost.end().catch(() => undefined);
    if (isClosed) return;
    failures += 1;
    const reconnectMs = backOff(failures, initialWaitMs, maxWaitMs);
    timer = setTimeout(() => {
      connecting = connect();
    }, reconnectMs).unref();
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      // Errors are ignored, because the connection may already be lost.
      await client?.end().catch(() => undefined);
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
