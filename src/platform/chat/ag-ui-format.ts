import { FinishReason } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { FrameFormat } from './chat-body.js';
import { type TextKind, type TurnEvent, TurnEventReader } from './turn-events.js';

/** Ids of a run, chosen by the client. */
interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * Creates the format of one stream: events of AG-UI as Server-Sent Events. Every stream begins with `RUN_STARTED` and
 * ends with `RUN_FINISHED` or `RUN_ERROR`. The custom event `chat` contains the id of the thread in the Chat API.
 */
export function agUiFormat(run: AgUiRun): FrameFormat {
  const reader = new TurnEventReader();
  let isStarted = false;
  return {
    contentType: 'text/event-stream',
    write: ({ frame }) =>
      reader
        .read(frame)
        .flatMap(event => {
          const events = eventsOf(event, run);
          if (isStarted) return events;
          isStarted = true;
          return [{ type: 'RUN_STARTED', ...run }, ...events];
        })
        .map(event => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    heartbeat: ':\n\n',
  };
}

function eventsOf(event: TurnEvent, run: AgUiRun): readonly JsonObject[] {
  switch (event.type) {
    case 'start':
      return [{ type: 'CUSTOM', name: 'chat', value: { chatId: event.chatId, messageId: event.messageId } }];
    case 'text-start':
    case 'text-delta':
    case 'text-end':
      return event.kind === 'text' ? textEvents(event) : reasoningEvents(event);
    case 'call': {
      const { id: toolCallId, name: toolCallName, input } = event;
      return [
        { type: 'TOOL_CALL_START', toolCallId, toolCallName },
        { type: 'TOOL_CALL_ARGS', toolCallId, delta: input },
        { type: 'TOOL_CALL_END', toolCallId },
      ];
    }
    case 'result': {
      const { id: toolCallId, result: content } = event;
      return [{ type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-result`, toolCallId, content, role: 'tool' }];
    }
    case 'end':
      return [endEvent(event, run)];
  }
}

type TextEvent = Extract<TurnEvent, { readonly kind: TextKind }>;

function textEvents(event: TextEvent): readonly JsonObject[] {
  const { id: messageId } = event;
  if (event.type === 'text-delta') return [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: event.delta }];
  if (event.type === 'text-start') return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }];
  return [{ type: 'TEXT_MESSAGE_END', messageId }];
}

function reasoningEvents(event: TextEvent): readonly JsonObject[] {
  // The text and the reasoning of a message have the same id here, but AG-UI requires different ids.
  const messageId = `${event.id}-reasoning`;
  if (event.type === 'text-delta') return [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta: event.delta }];
  if (event.type === 'text-start') {
    return [
      { type: 'REASONING_START', messageId },
      { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    ];
  }
  return [
    { type: 'REASONING_MESSAGE_END', messageId },
    { type: 'REASONING_END', messageId },
  ];
}

function endEvent({ reason, error, usage }: TurnEvent & { readonly type: 'end' }, run: AgUiRun): JsonObject {
  if (reason === FinishReason.aborted) return { type: 'RUN_FINISHED', ...run, outcome: { type: 'cancelled' } };
  if (reason === FinishReason.failed || reason === FinishReason.suspended) {
    return { type: 'RUN_ERROR', message: error ?? 'The answer failed. Send the message again.', code: reason };
  }
  return { type: 'RUN_FINISHED', ...run, result: { finishReason: reason, ...(usage && { usage }) } };
}
