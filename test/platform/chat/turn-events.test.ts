import { expect, test } from 'vitest';
import type { ChatFrame } from '../../../src/contract/chat.js';
import { agUiFormat } from '../../../src/platform/chat/ag-ui-format.js';
import { type TurnEvent, TurnEventReader } from '../../../src/platform/chat/turn-events.js';
import { uiMessageFormat } from '../../../src/platform/chat/ui-message-format.js';

const cutoff: ChatFrame = { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c', isStreaming: true } };
const echo: ChatFrame = { id: 'm1', role: 'user', content: 'Hi' };
const usage: ChatFrame = { id: '__usage__', type: 'usage' };
const delta = (content: string): ChatFrame => ({
  id: 'a',
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
});
const whole = (content: string, isInProcess = false): ChatFrame => ({ id: 'a', content, isDelta: false, isInProcess });

function eventsOf(...frames: ChatFrame[]): readonly TurnEvent[] {
  const reader = new TurnEventReader();
  return [...frames, usage].flatMap(frame => reader.read(frame));
}

const typesOf = (events: readonly TurnEvent[]) => events.map(({ type }) => type);
const contentOf = (events: readonly TurnEvent[]) =>
  events.map(event => (event.type === 'text-delta' ? event.delta : '')).join('');

test('skips earlier turns of the thread', () => {
  const replay: ChatFrame[] = [
    { ...echo, id: 'm0' },
    { id: 'old', role: 'assistant', content: 'Old', isDelta: false },
  ];
  const events = eventsOf(...replay, cutoff, echo, whole('New'));
  expect(events[0]).toEqual({ type: 'start', chatId: 'c', messageId: 'm1' });
  expect(contentOf(events)).toBe('New');
});

test.each([
  ['pieces', [delta('He'), delta('llo'), whole('Hello')]],
  ['a text so far', [delta('H'), whole('Hel', true), delta('lo'), whole('Hello')]],
  ['the complete text alone', [whole('Hello')]],
  ['a repeated end', [whole('Hello'), { ...whole('Hello'), finishReason: 'stop' }]],
  ['an interrupted text', [delta('Hello')]],
] as const)('reads %s as one text', (_name, frames) => {
  const events = eventsOf(cutoff, echo, ...frames);
  expect(contentOf(events)).toBe('Hello');
  expect(typesOf(events).filter(type => type !== 'text-delta')).toEqual(['start', 'text-start', 'text-end', 'end']);
});

test('begins another text if a frame replaces it', () => {
  const events = eventsOf(cutoff, echo, delta('Wrong'), whole('Right'));
  expect(events.filter(({ type }) => type === 'text-start')).toEqual([
    { type: 'text-start', kind: 'text', id: 'a' },
    { type: 'text-start', kind: 'text', id: 'a+' },
  ]);
});

test('ends reasoning before the text of the same message', () => {
  const thinking: ChatFrame = { id: 'a', role: 'assistant', thinking: 'Hm', isDelta: true, isInProcess: true };
  const events = eventsOf(cutoff, echo, thinking, delta('Hi'), { ...whole('Hi'), thinking: 'Hm' });
  expect(events.map(event => ('kind' in event ? `${event.kind} ${event.type}` : event.type))).toEqual([
    'start',
    'thinking text-start',
    'thinking text-delta',
    'thinking text-end',
    'text text-start',
    'text text-delta',
    'text text-end',
    'end',
  ]);
});

test('reads a tool call and its result once', () => {
  const call: ChatFrame = { id: 't', toolCall: { name: 'dataQuery', input: '{}' }, isInProcess: true };
  const result: ChatFrame = { id: 't', toolCall: { name: 'dataQuery', input: '{}', result: '{"data":[]}' } };
  expect(typesOf(eventsOf(cutoff, echo, call, result, result))).toEqual(['start', 'call', 'result', 'end']);
  expect(typesOf(eventsOf(cutoff, echo, result))).toEqual(['start', 'call', 'result', 'end']);
});

test.each([
  [[{ error: 'Broken.' }], 'failed', 'Broken.'],
  [[{ ...whole(''), finishReason: 'length' }, { error: 'Cut off.' }], 'length', 'Cut off.'],
  [[{ id: '__aborted__', type: 'abort', error: 'Stopped.' }], 'aborted', 'Stopped.'],
  [[{ id: '__suspended__', type: 'suspend', error: 'Send again.' }], 'suspended', 'Send again.'],
  [[], 'stop', null],
] as const)('ends with the reason of %j', (frames, reason, error) => {
  expect(eventsOf(cutoff, echo, ...frames).at(-1)).toEqual({ type: 'end', reason, error, usage: null });
});

const run = { threadId: 't', runId: 'r' };
const formats = [
  ['of the AI SDK', uiMessageFormat, { type: 'error', errorText: 'Broken.' }],
  ['of AG-UI', () => agUiFormat(run), { type: 'RUN_ERROR', message: 'Broken.', code: 'failed' }],
] as const;

test.each(formats)('the format %s reports an error, also before the answer begins', (_name, formatOf, problem) => {
  const dataOf = (frames: readonly ChatFrame[]) => {
    const format = formatOf();
    const body = [...frames, usage].map(frame => format.write({ id: null, frame })).join('');
    const lines = body.split('\n\n').filter(line => line !== '' && line !== 'data: [DONE]');
    return lines.map(line => JSON.parse(line.slice('data: '.length)));
  };
  expect(dataOf([cutoff, echo, delta('He'), { error: 'Broken.' }])).toContainEqual(problem);
  expect(dataOf([{ error: 'Broken.' }]).at(-1)).toEqual(problem);
});
