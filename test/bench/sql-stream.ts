import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

/** The result of reading a statement's rows at full speed. */
export interface ReadStream {
  /** Time from the request to the first byte of a row. */
  readonly firstRowMs: number;
  readonly totalMs: number;
  readonly bytes: number;
}

/** URL and token for statements. */
export interface SqlTarget {
  readonly url: string;
  readonly token: string;
}

const newline = 10;

async function open({ url, token }: SqlTarget, query: string) {
  const headers = { authorization: token, 'content-type': 'application/json' };
  const sent = request(new URL('/data-api/v1/sql', url), { method: 'POST', headers });
  sent.end(JSON.stringify({ query, cache: 'no-cache' }));
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  );
  if (response.statusCode === 200) return { sent, response };
  const text = (await response.toArray()).join('');
  throw new Error(`A statement returned ${response.statusCode}: ${text.slice(0, 300)}`);
}

/**
 * Sends a statement and reads its rows at full speed.
 * @throws Error with the platform's error, before or within the stream.
 */
export async function readAll(target: SqlTarget, query: string): Promise<ReadStream> {
  const begin = performance.now();
  const { response } = await open(target, query);
  let firstRowMs: number | undefined;
  let bytes = 0;
  let schemaRead = false;
  let tail = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (firstRowMs === undefined) {
      const schemaEnd: number = schemaRead ? -1 : chunk.indexOf(newline);
      schemaRead ||= schemaEnd >= 0;
      if (schemaRead && chunk.length > schemaEnd + 1) firstRowMs = performance.now() - begin;
    }
    tail = chunk.toString('latin1', Math.max(0, chunk.length - 300));
  }
  if (tail.includes('"error"')) throw new Error(`A statement stream failed: ${tail}`);
  return { firstRowMs: firstRowMs ?? Number.NaN, totalMs: performance.now() - begin, bytes };
}

/** Returns the number of rows of a statement. */
export async function countRows(target: SqlTarget, query: string): Promise<number> {
  const { response } = await open(target, query);
  let rows = 0;
  for await (const line of createInterface({ input: response })) {
    const { data = [] }: { data?: unknown[] } = JSON.parse(line);
    rows += data.length;
  }
  return rows;
}

/** Reads a statement at a limited rate for a while, then disconnects. Returns the number of bytes read. */
export async function readSlowly(
  target: SqlTarget,
  query: string,
  { bytesPerSecond, forMs }: { readonly bytesPerSecond: number; readonly forMs: number },
): Promise<number> {
  const { sent, response } = await open(target, query);
  const begin = performance.now();
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const spent = performance.now() - begin;
    if (spent > forMs) break;
    await setTimeout(Math.max(0, (bytes / bytesPerSecond) * 1000 - spent));
  }
  sent.destroy();
  return bytes;
}
