import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as secure } from 'node:tls';

/** Where a server listens; `host` may be the folder of a Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Whether, and how, connections are encrypted. */
  readonly ssl: boolean | ConnectionOptions;
}

/** What the server tells of a connection, so that others can stop what runs on it. */
export interface BackendKey {
  readonly processId: number;
  readonly secret: number;
}

const cancelCode = 80_877_102;
const encryptCode = 80_877_103;
const limitMs = 5000;

/**
 * Asks the server to stop what runs on a connection, on another connection that is made for it, encrypted where the first one is.
 * Resolves when the server has taken notice, or can't be reached.
 */
export async function requestCancel(address: ServerAddress, { processId, secret }: BackendKey): Promise<void> {
  const { host, port } = address;
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(limitMs, () => socket.destroy());
  const closed = new Promise(resolve => socket.once('close', resolve));
  try {
    await once(socket, 'connect');
    const channel = address.ssl === false ? socket : await encrypted(socket, address);
    channel.end(words(16, cancelCode, processId, secret));
    channel.resume();
    await closed;
  } catch {
    // Whoever wants the statement stopped asks again, and gives the connection up in the end.
    socket.destroy();
  }
}

async function encrypted(socket: Socket, { host, ssl }: ServerAddress): Promise<Socket> {
  socket.write(words(8, encryptCode));
  const [answer]: unknown[] = await once(socket, 'data');
  if (String(answer) !== 'S') throw new Error('the server does not encrypt');
  const options = typeof ssl === 'object' ? ssl : {};
  const channel = secure({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...options });
  await once(channel, 'secureConnect');
  return channel;
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * index);
  return bytes;
}
