import type { BareAnswers } from './data-bare-server.js';
import { askChild, startChild } from './data-child.js';
import { bodyOf, type DataClient, loadPath, type Sending } from './data-client.js';
import type { Load, LoadResult } from './data-generator.js';

const load = { connections: 32, warmUpMs: 2_000, measureMs: 5_000 } as const;

/** Requests per second from the cache, and of a bare server with the same responses. */
export interface Throughput {
  readonly platform: LoadResult;
  readonly bare: LoadResult;
  readonly meanBytes: number;
}

/** Measures cached responses per second. Server and load generator share the machine. */
export async function measureThroughput(
  client: DataClient,
  platformUrl: string,
  sendings: readonly Sending[],
): Promise<Throughput> {
  const bodies: string[] = [];
  for (const sending of sendings) bodies.push((await client.rows(sending)).body.toString());
  const { host, port } = new URL(platformUrl);
  const platform = await generate({
    ...load,
    port: Number(port),
    requests: sendings.map(sending => requestText(host, loadPath, sending)),
  });
  const bare = await generateBare(
    bodies.map((body, index) => [`/${index}`, body]),
    sendings,
  );
  const meanBytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length;
  return { platform, bare, meanBytes };
}

async function generateBare(answers: BareAnswers, sendings: readonly Sending[]): Promise<LoadResult> {
  const server = startChild<{ port: number }>('data-bare-server.ts', answers);
  try {
    const { port } = await server.answer;
    const requests = sendings.map((sending, index) => requestText(`127.0.0.1:${port}`, `/${index}`, sending));
    return await generate({ ...load, port, requests });
  } finally {
    await server.stop();
  }
}

function generate(what: Load): Promise<LoadResult> {
  return askChild('data-generator.ts', what);
}

function requestText(host: string, path: string, { token, ...sending }: Sending): string {
  const body = bodyOf(sending);
  return [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `authorization: ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
