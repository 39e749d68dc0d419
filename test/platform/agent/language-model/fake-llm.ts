import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** Response of the fake service to one request. */
export interface LlmReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Chunks that are written in order, usually as separate packets. */
  readonly pieces?: Iterable<string | Uint8Array>;
  /** How the response ends: completely, with a closed connection, or never. */
  readonly ending?: 'whole' | 'cut' | 'never';
}

/** A message of the chat completions protocol. */
export interface LlmMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** A request received by the fake service. */
export interface LlmRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly LlmMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly tool_choice?: string;
    readonly stream_options?: unknown;
  };
  /** Whether the client closed the connection before the end of the response. */
  readonly isDropped: () => boolean;
}

/**
 * Starts a fake service on loopback with the streaming protocol of chat completions. Each request receives the next
 * reply; the last reply repeats.
 */
export async function startLlm(...replies: readonly (LlmReply | ((request: LlmRequest) => LlmReply))[]) {
  const requests: LlmRequest[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    let isDropped = false;
    response.on('close', () => {
      isDropped = !response.writableEnded;
    });
    const body: LlmRequest['body'] = JSON.parse(await textOf(incoming));
    const request = { path: incoming.url, headers: incoming.headers, body, isDropped: () => isDropped };
    const next = replies[Math.min(requests.length, replies.length - 1)] ?? {};
    requests.push(request);
    await send(response, typeof next === 'function' ? next(request) : next);
  };
  const server = createServer((incoming, response) => {
    // A request whose connection closes before its body is complete is ignored.
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    port: address.port,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

async function send(response: ServerResponse, { status = 200, headers, pieces = [], ending = 'whole' }: LlmReply) {
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await setImmediate();
  }
  if (ending === 'whole') response.end();
  // Flush the data written so far before closing.
  if (ending === 'cut') response.socket?.end(() => response.destroy());
}

/** Returns a chunk of the stream as an event. */
export function event(choice: object | null, more: object = {}): string {
  const choices = choice === null ? [] : [{ index: 0, ...choice }];
  return `data: ${JSON.stringify({ id: 'x', model: 'm', choices, ...more })}\n\n`;
}

const done = 'data: [DONE]\n\n';
/** Returns the chunk that reports usage. */
export const usage = (prompt: number, completion: number, cached = 0) =>
  event(null, {
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: cached },
    },
  });

/** Returns a stream of text in chunks. */
export function saying(texts: readonly string[], finish = 'stop', after = ''): string {
  const deltas = texts.map(content => event({ delta: { content } })).join('');
  return `${event({ delta: { role: 'assistant', content: '' } })}${deltas}${event({ delta: {}, finish_reason: finish })}${after}${done}`;
}

/** Returns a stream of tool calls after some text, with arguments in chunks of `size` characters. */
export function calling(calls: readonly (readonly [name: string, input: string])[], size = 1000, text = ''): string {
  const deltas = calls.flatMap(([name, input], index) => {
    const pieces = input.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    return [
      event({
        delta: { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] },
      }),
      ...pieces.map(piece => event({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } })),
    ];
  });
  const said = text === '' ? '' : event({ delta: { content: text } });
  return `${said}${deltas.join('')}${event({ delta: {}, finish_reason: 'tool_calls' })}${done}`;
}

/** Splits the bytes of the text into chunks of `size`, even within characters and lines. */
export function* inPieces(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
