import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

/** Address of a server; `host` can be the folder of a Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Whether and how to encrypt connections. */
  readonly ssl: boolean | ConnectionOptions;
}

/** The IDs that identify a connection in a cancel request. */
export interface BackendKey {
  readonly processId: number;
  readonly secret: number;
}

const cancelRequestCode = 80_877_102;
const sslRequestCode = 80_877_103;
const timeoutMs = 5000;

/**
 * Sends a cancel request for a connection. The request uses a separate connection, with the same encryption. Resolves
 * when the server has received the request or is unreachable.
 */
export async function requestCancel(address: ServerAddress, { processId, secret }: BackendKey): Promise<void> {
  const { host, port } = address;
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(timeoutMs, () => socket.destroy());
  const closed = new Promise(resolve => socket.once('close', resolve));
  try {
    await once(socket, 'connect');
    const channel = address.ssl === false ? socket : await encryptSocket(socket, address);
    channel.end(int32Bytes(16, cancelRequestCode, processId, secret));
    channel.resume();
    await closed;
  } catch {
    // Ignore the error, because the caller retries and finally drops the connection.
    socket.destroy();
  }
}

async function encryptSocket(socket: Socket, { host, ssl }: ServerAddress): Promise<Socket> {
  socket.write(int32Bytes(8, sslRequestCode));
  const [response]: unknown[] = await once(socket, 'data');
  if (String(response) !== 'S') throw new Error('the server does not encrypt');
  const options = typeof ssl === 'object' ? ssl : {};
  const channel = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...options });
  await once(channel, 'secureConnect');
  return channel;
}

function int32Bytes(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * index);
  return bytes;
}
