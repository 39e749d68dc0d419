import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { requestCancel } from '../../../../../src/platform/data/engines/postgres/cancel-request.js';

const key = { processId: 4711, secret: -2 };
/** 16 bytes: length, code of a cancel request, and key. */
const request = '00000010' + '04d2162e' + '00001267' + 'fffffffe';
const encryptRequest = '00000008' + '04d2162f';
/** Pre-shared key for TLS, so that the test needs no certificate. */
const psk = Buffer.from('a secret that both know');
const encryption = { ciphers: 'PSK', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;

let server: Server | undefined;

afterEach(() => server?.close());

/** Starts a server for a single connection. */
async function listen(answer: (socket: Socket) => Promise<void>): Promise<number> {
  server = createServer(socket => {
    socket.on('error', () => {});
    void answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function allOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString('hex');
}

describe('requestCancel', () => {
  it('sends the key of the connection, and resolves when the server has closed', async () => {
    const heard: string[] = [];
    const port = await listen(async socket => {
      heard.push(await allOf(socket));
    });
    await requestCancel({ host: '127.0.0.1', port, ssl: false }, key);
    expect(heard).toEqual([request]);
  });

  it('is encrypted if the connection is', async () => {
    const heard: string[] = [];
    const port = await listen(async socket => {
      const [sent] = await once(socket, 'data');
      heard.push(sent.toString('hex'));
      socket.write('S');
      const server = { isServer: true, pskCallback: () => psk, ...encryption };
      heard.push(await allOf(new TLSSocket(socket, server)));
    });
    const ssl = { pskCallback: () => ({ psk, identity: 'us' }), checkServerIdentity: () => undefined, ...encryption };
    await requestCancel({ host: '127.0.0.1', port, ssl }, key);
    expect(heard).toEqual([encryptRequest, request]);
  });

  it('sends nothing unencrypted if the connection should be encrypted', async () => {
    const heard: string[] = [];
    const port = await listen(async socket => {
      const [sent] = await once(socket, 'data');
      heard.push(sent.toString('hex'));
      socket.write('N');
      heard.push(await allOf(socket));
    });
    await requestCancel({ host: '127.0.0.1', port, ssl: true }, key);
    await expect.poll(() => heard).toEqual([encryptRequest, '']);
  });

  it('resolves if no server listens', async () => {
    const port = await listen(async () => {});
    server?.close();
    await expect(requestCancel({ host: '127.0.0.1', port, ssl: false }, key)).resolves.toBeUndefined();
    await expect(requestCancel({ host: '/nowhere', port: 1, ssl: false }, key)).resolves.toBeUndefined();
  });
});
