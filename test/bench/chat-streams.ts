import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { ChatFrame } from '../../src/contract/chat.js';

/** A chat client: the URL of its chat, and its token. */
export interface ChatUser {
  readonly url: string;
  readonly token: string;
}

/** A received event. */
export interface Received {
  readonly id: string | null;
  readonly frame: ChatFrame;
}

/** Options for reading a stream. */
export interface Reading {
  readonly input?: string;
  readonly chatId?: string;
  readonly messageId: string;
  readonly lastEventId?: string;
  /** Number of events after which the connection is dropped. */
  readonly dropAfter?: number;
}

/** The result of reading a stream. */
export interface Read {
  readonly events: readonly Received[];
  readonly firstMs: number;
  readonly status: number;
}

const agent = new Agent({ keepAlive: false, noDelay: true });

/** Reads a Chat API stream of server-sent events until it ends or is dropped. */
export function readStream({ url, token }: ChatUser, reading: Reading): Promise<Read> {
  const { dropAfter = Number.POSITIVE_INFINITY, lastEventId, ...body } = reading;
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const sent = request(`${url}/chat/stream-chat-state`, { method: 'POST', agent, headers }, response => {
      const events: Received[] = [];
      let firstMs = Number.NaN;
      let rest = '';
      const end = () => resolve({ events, firstMs, status: response.statusCode ?? 0 });
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const event = eventOf(block);
          if (!event || events.length >= dropAfter) continue;
          if (events.length === 0) firstMs = performance.now() - begin;
          events.push(event);
        }
        if (events.length < dropAfter) return;
        end();
        sent.destroy();
      });
      response.on('end', end);
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

function eventOf(block: string): Received | null {
  let id: string | null = null;
  let frame = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('id:')) id = line.slice(3).trim();
    if (line.startsWith('data:')) frame += line.slice(5).trim();
  }
  return frame === '' ? null : { id, frame: JSON.parse(frame) };
}

/** Returns the memory of a process in MB, or `null` if the system does not report it. */
export function memoryOf(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

/** Returns the CPU time of a process in milliseconds, in steps of 10 ms, if the system reports it. */
export function cpuOf(pid: number): number {
  try {
    const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}
