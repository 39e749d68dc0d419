import pg from 'pg';

/** Hears of notifications until it is closed. */
export interface ChannelListener {
  close(): Promise<void>;
}

const initialWaitMs = 250;
const maxWaitMs = 30_000;

/**
 * Hears what others notify on a channel, on a connection of its own that is made anew when it breaks. Notifications are lost while there
 * is none, so that `hear` is called after every connect too, and whoever depends on them has to look by itself now and then.
 * @param channel - a plain identifier.
 * @param hear - must not throw.
 */
export function listenTo(config: pg.ClientConfig, channel: string, hear: () => void): ChannelListener {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = initialWaitMs;
  let isClosed = false;
  let connecting = connect();

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...config, keepAlive: true });
    next.on('notification', hear);
    // Also after a failure to connect, and after both an error and the end that it leads to.
    const onGone = once(() => reconnect(next));
    next.on('error', onGone);
    next.on('end', onGone);
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      onGone();
      return;
    }
    client = next;
    waitMs = initialWaitMs;
    if (isClosed) await next.end();
    else hear();
  }

  function reconnect(gone: pg.Client): void {
    if (client === gone) client = null;
    gone.end().catch(() => undefined);
    if (isClosed) return;
    timer = setTimeout(() => {
      connecting = connect();
    }, waitMs).unref();
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
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
