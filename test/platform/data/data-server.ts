import '../../../src/contract/messages.js';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../src/cli/server/listen.js';
import type { SecurityContext } from '../../../src/platform/auth/principal.js';
import { secretsOf } from '../../../src/platform/auth/secrets.js';
import { createTokens } from '../../../src/platform/auth/tokens.js';
import { createPlatform } from '../../../src/platform/create-platform.js';
import { takePlatformDatabase, testSecretKey } from '../db/test-database.js';
import { writeParquet } from './engines/duckdb/parquet.js';

/** A raw HTTP request. */
export interface RawRequest {
  readonly method?: string;
  /** Relative to the base path of the Data API. */
  readonly path?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: OutgoingHttpHeaders;
}

/** The response. `error` is the error in the body; empty if there is none. */
export interface RawAnswer {
  readonly status: number;
  readonly error: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape, and a wrong path fails the test.
  readonly body: any;
  /** CPU time of this process during the request, which does not depend on other processes. */
  readonly workMs: number;
}

/** An incomplete body. */
export interface PartOfBody {
  readonly announced: number;
  readonly sent: string;
}

const embedClaims = {
  userId: 1,
  role: 'user',
  deploymentId: 1,
  embedTenantId: 1,
  embedTenantName: 'a',
  creatorMode: false,
  sessionKey: 'none',
  settings: {},
  embedTheme: null,
} as const;

/** Options of a data server. */
export interface ServedData {
  readonly model: string;
  /** SELECTs by the name of their table. */
  readonly tables: Readonly<Record<string, string>>;
}

/** Generous limits, so that a busy machine delays neither requests nor rows. */
const timeouts = { headersTimeout: 120_000, requestTimeout: 120_000 };

/** Starts a platform that listens on a port, with tokens for its Data API. */
export async function startDataServer({ model, tables }: ServedData) {
  const folder = await mkdtemp(join(tmpdir(), 'data-server-'));
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await Promise.all([mkdir(modelDirectory), mkdir(sourcesDirectory)]);
  await writeFile(join(modelDirectory, 'model.yml'), model);
  for (const [table, select] of Object.entries(tables)) {
    await writeParquet(join(sourcesDirectory, `${table}.parquet`), select);
  }
  const listener = await listen({ host: '127.0.0.1', port: 0 }, { limits: timeouts });
  const database = await takePlatformDatabase();
  const failures: string[] = [];
  const platform = await createPlatform({
    publicUrl: listener.url,
    adminKey: 'the-admin-key',
    ...database.options,
    modelDirectory,
    sourcesDirectory,
    limits: { continueWaitMs: 120_000 },
    onFailure: failure => failures.push(failure),
  });
  listener.serve(platform.fetch);
  const tokens = createTokens(secretsOf(testSecretKey));
  const agent = new Agent({ keepAlive: true });

  return {
    /** Internal errors reported by the platform. */
    failures,
    tokenOf: (securityContext: SecurityContext, expiresAt = new Date(Date.now() + 3_600_000)): Promise<string> =>
      tokens.signDataToken({ securityContext, embedTenantId: null, sessionKey: null, expiresAt }),
    /** A token of the Platform API, which the Data API must reject. */
    embedToken: (securityContext: SecurityContext): Promise<string> =>
      tokens.signEmbedToken({ ...embedClaims, securityContext }),
    send: (raw: RawRequest): Promise<RawAnswer> => send(listener.url, agent, raw),
    /** Sends an incomplete body and disconnects. */
    breakOff: (part: PartOfBody): Promise<void> => breakOff(listener.url, part),
    async stop() {
      agent.destroy();
      await listener.close(0);
      await platform.close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A running data server. */
export type DataServer = Awaited<ReturnType<typeof startDataServer>>;

async function send(url: string, agent: Agent, { method = 'POST', path = '/v1/load', body, headers }: RawRequest) {
  const begun = process.cpuUsage();
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(`${url}/data-api${path}`, { method, agent, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.once('socket', listenForErrors);
    outgoing.end(body);
  });
  const { user, system } = process.cpuUsage(begun);
  const read = parse(text);
  return { status, error: errorOf(read), body: read, workMs: (user + system) / 1000 };
}

const ignore = () => undefined;

/**
 * The server may close the connection after rejecting a body. If this coincides with the end of the response, Node has
 * no error listener for a moment: https://github.com/nodejs/node/blob/v20.20.2/lib/_http_client.js#L731.
 */
function listenForErrors(socket: Socket): void {
  if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
}

async function breakOff(url: string, { announced, sent }: PartOfBody): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  // The server may disconnect first.
  socket.on('error', () => undefined);
  const head = [
    'POST /data-api/v1/load HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Content-Length: ${announced}`,
    '',
    '',
  ];
  await new Promise<void>(resolve => {
    socket.write(head.join('\r\n') + sent, () => resolve());
  });
  socket.destroy();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
}
