import type { UIMessageChunk } from 'ai';
import type { ChatUsage, FinishReason } from '../../contract/chat.js';
import type { FrameFormat } from './chat-body.js';
import { type TurnEvent, TurnEventReader } from './turn-events.js';

/**
 * Metadata of an answer: from the beginning the ids of thread and message in the Chat API, and at the end the usage.
 */
interface AnswerMetadata {
  readonly chatId: string;
  readonly messageId?: string;
  readonly usage?: ChatUsage;
}

type Chunk = UIMessageChunk<AnswerMetadata>;

const finishReasons = {
  stop: 'stop',
  length: 'length',
  failed: 'error',
  suspended: 'other',
  aborted: 'other',
} as const satisfies Record<FinishReason, string>;

/**
 * Marks tools as dynamic and executed by the provider, because they run on the platform and the client does not define
 * them.
 */
const onPlatform = { dynamic: true, providerExecuted: true } as const;

/**
 * Creates the format of one stream: the UI message stream of the AI SDK, version 1. Each tool call is a dynamic tool
 * part with query and rows; text after tool calls begins a new step.
 */
export function uiMessageFormat(): FrameFormat {
  const reader = new TurnEventReader();
  const writer = new ChunkWriter();
  return {
    contentType: 'text/event-stream',
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    write: ({ frame }) =>
      reader
        .read(frame)
        .map(event => {
          const lines = writer.chunksOf(event).map(chunk => `data: ${JSON.stringify(chunk)}\n\n`);
          return lines.join('') + (event.type === 'end' ? 'data: [DONE]\n\n' : '');
        })
        .join(''),
    heartbeat: ':\n\n',
  };
}

class ChunkWriter {
  #chatId: string | null = null;
  #hasCalls = false;

  chunksOf(event: TurnEvent): readonly Chunk[] {
    switch (event.type) {
      case 'start': {
        const { chatId, messageId } = event;
        this.#chatId = chatId;
        return [
          { type: 'start', messageId: `${messageId}-answer`, messageMetadata: { chatId, messageId } },
          { type: 'start-step' },
        ];
      }
      case 'text-start':
        return [...this.#nextStep(), { type: event.kind === 'text' ? 'text-start' : 'reasoning-start', id: event.id }];
      case 'text-delta': {
        const { kind, id, delta } = event;
        return [{ type: kind === 'text' ? 'text-delta' : 'reasoning-delta', id, delta }];
      }
      case 'text-end':
        return [{ type: event.kind === 'text' ? 'text-end' : 'reasoning-end', id: event.id }];
      case 'call': {
        const { id: toolCallId, name: toolName, input } = event;
        return [{ type: 'tool-input-available', toolCallId, toolName, input: JSON.parse(input), ...onPlatform }];
      }
      case 'result':
        this.#hasCalls = true;
        return [resultChunk(event.id, JSON.parse(event.result))];
      case 'end':
        return this.#end(event);
    }
  }

  #nextStep(): readonly Chunk[] {
    if (!this.#hasCalls) return [];
    this.#hasCalls = false;
    return [{ type: 'finish-step' }, { type: 'start-step' }];
  }

  #end({ reason, error, usage }: TurnEvent & { readonly type: 'end' }): readonly Chunk[] {
    const chatId = this.#chatId;
    const step: Chunk[] = chatId === null ? [] : [{ type: 'finish-step' }];
    if (reason === 'aborted') return [...step, { type: 'abort', ...(error !== null && { reason: error }) }];
    if (error !== null) step.push({ type: 'error', errorText: error });
    if (chatId === null) return step;
    const messageMetadata = { chatId, ...(usage && { usage }) };
    return [...step, { type: 'finish', finishReason: finishReasons[reason], messageMetadata }];
  }
}

function resultChunk(toolCallId: string, output: unknown): Chunk {
  const error = typeof output === 'object' && output !== null && 'error' in output ? output.error : undefined;
  if (typeof error === 'string') return { type: 'tool-output-error', toolCallId, errorText: error, ...onPlatform };
  return { type: 'tool-output-available', toolCallId, output, ...onPlatform };
}
