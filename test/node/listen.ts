import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach } from 'vitest';

/**
 * Returns a function that serves a listener on a free loopback port and returns its origin. Everything it opens is
 * closed after each test of the file.
 */
export function listening(): (listener: RequestListener) => Promise<string> {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
  return async listener => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  };
}
