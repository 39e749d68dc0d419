import type { ChatFrame } from '../../../src/contract/chat.js';

export const chatId = 'thread-1';
export const usage: ChatFrame = {
  id: '__usage__',
  type: 'usage',
  usage: {
    models: ['analyst'],
    llmCalls: 2,
    inputTokens: 10,
    outputTokens: 5,
    cacheWriteTokens: 0,
    cacheReadTokens: 0,
    totalTokens: 15,
  },
};

export const echo = (id: string, content: string): ChatFrame => ({
  id,
  role: 'user',
  content,
  isDelta: false,
  isInProcess: false,
});
export const cutoff = (state: ChatFrame['state'] = {}): ChatFrame => ({
  id: '__cutoff__',
  role: 'assistant',
  sort: 0,
  state: { chatId, isStreaming: true, ...state },
});
export const piece = (id: string, content: string): ChatFrame => ({
  id,
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
  graphPath: ['data_analyst_agent'],
});
export const whole = (id: string, content: string, more: ChatFrame = {}): ChatFrame => ({
  id,
  role: 'assistant',
  content,
  isDelta: false,
  isInProcess: false,
  graphPath: ['final'],
  ...more,
});
export const tool = (id: string, name: string, result?: unknown): ChatFrame => ({
  id,
  role: 'assistant',
  isDelta: false,
  isInProcess: result === undefined,
  graphPath: ['data_analyst_agent', 'tools'],
  toolCall: {
    name,
    input: '{"query":{}}',
    ...(result === undefined ? {} : { result: JSON.stringify(result) }),
  },
});

/** Returns a turn with all kinds of content. */
export function turnFrames(messageId: string, input: string): ChatFrame[] {
  const id = (place: number): string => `${messageId}.${place}`;
  return [
    echo(messageId, input),
    { ...piece(id(1), ''), thinking: 'Let me ' },
    { ...piece(id(1), ''), thinking: 'see. ' },
    piece(id(1), 'I look '),
    piece(id(1), 'at the flights 🛫.'),
    { ...whole(id(1), 'I look at the flights 🛫.', { graphPath: ['data_analyst_agent'] }), thinking: 'Let me see. ' },
    tool(id(2), 'modelMeta'),
    tool(id(2), 'modelMeta', { error: 'Too many.' }),
    tool(id(3), 'dataQuery'),
    tool(id(3), 'dataQuery', { schema: [], data: [], totalRows: 0 }),
    piece(id(4), 'There were '),
    piece(id(4), '**3,211** '),
    piece(id(4), 'flights – größer als je.'),
    whole(id(4), 'There were **3,211** flights – größer als je.', { finishReason: 'stop' }),
  ];
}

/** Reads a stored turn: complete text blocks and finished steps. */
export function storedFrames(frames: readonly ChatFrame[]): ChatFrame[] {
  const byId = new Map<string, ChatFrame>();
  for (const frame of frames) {
    const known = byId.get(frame.id ?? '');
    const isPiece = frame.isDelta && known;
    const content = isPiece ? `${known.content ?? ''}${frame.content ?? ''}` : frame.content;
    const thinking = isPiece ? `${known.thinking ?? ''}${frame.thinking ?? ''}` : frame.thinking;
    byId.set(frame.id ?? '', {
      ...frame,
      isDelta: false,
      ...(content === undefined ? {} : { content }),
      ...(thinking === undefined ? {} : { thinking }),
    });
  }
  return [...byId.values()];
}

export type Wire = 'ndjson' | 'crlf' | 'sse';

export interface Placed {
  readonly id: string | null;
  readonly frame: ChatFrame;
}

export const unplaced = (frames: readonly ChatFrame[]): Placed[] => frames.map(frame => ({ id: null, frame }));

const types: Readonly<Record<Wire, string>> = {
  ndjson: 'application/json',
  crlf: 'application/x-ndjson; charset=utf-8',
  sse: 'text/event-stream',
};

export function encode(wire: Wire, frames: readonly Placed[]): Uint8Array {
  const text = frames.map(({ id, frame }) => {
    const json = JSON.stringify(frame);
    if (wire === 'sse') return `${id === null ? '' : `id: ${id}\n`}data: ${json}\n\n`;
    return wire === 'crlf' ? `${json}\r\n\r\n` : `${json}\n`;
  });
  return new TextEncoder().encode(text.join(''));
}

/** Returns a response that arrives in these chunks and ends as given: cleanly, with a lost connection, or never. */
export function streamed(
  wire: Wire | string,
  chunks: readonly (string | Uint8Array)[],
  end: 'clean' | 'cut' | 'never' = 'clean',
): Response {
  const encoder = new TextEncoder();
  const left = chunks.map(chunk => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift();
      if (chunk) controller.enqueue(chunk);
      else if (end === 'clean') controller.close();
      else if (end === 'cut') controller.error(new TypeError('terminated'));
      else return new Promise(() => {});
      return undefined;
    },
  });
  const type = Object.hasOwn(types, wire) ? types[wire as Wire] : wire;
  return new Response(body, { headers: type === '' ? {} : { 'content-type': type } });
}

/** Splits bytes into chunks of these lengths, repeatedly. */
export function inChunks(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const length = Math.max(1, lengths[index % lengths.length] ?? 1);
    chunks.push(bytes.slice(start, start + length));
    start += length;
  }
  return chunks;
}
