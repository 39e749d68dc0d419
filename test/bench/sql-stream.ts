import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

/** What came back to a statement that was read as fast as it came. */
export interface ReadStream {
  /** From the request to the first byte of a row. */
  readonly firstRowMs: number;
  readonly totalMs: number;
  readonly bytes: number;
}

/** Where statements are sent, and by whom. */
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
  throw new Error(`A statement was answered ${response.statusCode}: ${text.slice(0, 300)}`);
}

/**
 * Sends a statement and reads its rows as fast as they come.
 * @throws Error with what the platform said instead of rows, or with what it broke off.
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
  if (tail.includes('"error"')) throw new Error(`A statement broke off: ${tail}`);
  return { firstRowMs: firstRowMs ?? Number.NaN, totalMs: performance.now() - begin, bytes };
}

/** How many rows a statement is answered with. */
export async function countRows(target: SqlTarget, query: string): Promise<number> {
  const { response } = await open(target, query);
  let rows = 0;
  for await (const line of createInterface({ input: response })) {
    const { data = [] }: { data?: unknown[] } = JSON.parse(line);
    rows += data.length;
  }
  return rows;
}

/** Reads a statement at so many bytes a second for a while, then leaves; tells how many bytes that were. */
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
