import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { isObject } from '../../../charts/spec.js';
import type { AgentTurn, PastTurn } from '../agent.js';
import { resultText } from './result-text.js';
import type { DoneCall, TurnState } from './turn-state.js';

/** How much of earlier turns a model is reminded of: of the newest first. */
const most = { turns: 20, characters: 40_000, text: 8000, calls: 4, input: 2000, result: 2000 } as const;

/** The conversation up to the question of this turn. */
export function openingMessages({ history, input, images }: AgentTurn): ModelMessage[] {
  const pictures = images.map(({ mimeType, data }) => ({
    type: 'image' as const,
    // Bytes, since text might be taken for an address to fetch.
    image: Buffer.from(data, 'base64'),
    mediaType: mimeType,
  }));
  const content = pictures.length === 0 ? input : [{ type: 'text' as const, text: input }, ...pictures];
  return [...pastMessages(history), { role: 'user', content }];
}

/** What the model has done in this turn. */
export function stepMessages({ steps }: TurnState): ModelMessage[] {
  return steps.flatMap(({ text, calls }) => messagesOf(text, calls));
}

/** Said where the model has to come to an end. */
export const closingMessage: ModelMessage = {
  role: 'user',
  content: 'The tools are closed now. Answer with what the results above say; name what is missing.',
};

function pastMessages(history: readonly PastTurn[]): ModelMessage[] {
  const turns: ModelMessage[][] = [];
  let left: number = most.characters;
  for (const [place, turn] of history.slice(-most.turns).toReversed().entries()) {
    const messages = turnMessages(turn, place);
    left -= JSON.stringify(messages).length;
    if (left < 0) break;
    turns.unshift(messages);
  }
  return turns.flat();
}

function turnMessages({ input, answer, calls }: PastTurn, place: number): ModelMessage[] {
  const done = calls.slice(-most.calls).map((call, index) => ({
    id: `past${String(place * most.calls + index).padStart(5, '0')}`,
    name: call.name,
    input: isObject(call.input) && JSON.stringify(call.input).length <= most.input ? call.input : {},
    output: resultText(isObject(call.result) ? call.result : {}, most.result),
  }));
  return [
    { role: 'user', content: input.slice(0, most.text) },
    ...(done.length === 0 ? [] : messagesOf('', done)),
    { role: 'assistant', content: answer.slice(0, most.text) || '(This was not answered.)' },
  ];
}

function messagesOf(text: string, calls: readonly DoneCall[]): [AssistantModelMessage, ToolModelMessage] {
  return [
    {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ id, name, input, signature }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input,
          ...(signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ id, name, output }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value: output },
      })),
    },
  ];
}
