import { describe, expect, it } from 'vitest';
import { emptyConversation } from '../../../src/client/chat/conversation.js';
import { reduceFrames, StreamReducer } from '../../../src/client/chat/reduce.js';
import type { ChatFrame } from '../../../src/contract/chat.js';
import { chatId, cutoff, echo, piece, storedFrames, tool, turnFrames, usage, whole } from './fake-chat.js';

const first = '1700000000000-message';
const second = '1700000001000-message';

function asked(messageId = first, content = 'How many?'): StreamReducer {
  const reducer = new StreamReducer();
  reducer.ask(messageId, { content, images: [] });
  reducer.open('replay', messageId);
  return reducer;
}

function read(frames: readonly ChatFrame[]): StreamReducer {
  const reducer = new StreamReducer();
  reducer.open('replay', null);
  reducer.push(frames);
  return reducer;
}

const lastTurn = (reducer: StreamReducer) => reducer.conversation.turns.at(-1);

describe('a streamed turn', () => {
  it('shows the message before the service echoes it, and only once afterwards', () => {
    const reducer = asked();
    const prompt = { content: 'How many?', images: [] };
    expect(reducer.conversation.turns).toMatchObject([{ id: first, prompt, end: null, sentAt: 1_700_000_000_000 }]);
    reducer.push([cutoff(), echo(first, 'How many?')]);
    expect(reducer.conversation).toMatchObject({ chatId, isStreaming: true, turns: [{ id: first, prompt }] });
  });

  it('keeps images that the echo omits', () => {
    const reducer = new StreamReducer();
    const images = [{ mimeType: 'image/png' as const, data: 'AAAA' }];
    reducer.ask(first, { content: 'See', images });
    reducer.open('replay', first);
    reducer.push([cutoff(), echo(first, 'See')]);
    expect(lastTurn(reducer)?.prompt).toEqual({ content: 'See', images });
  });

  it('appends deltas to a text block, and replaces it when it is complete', () => {
    const reducer = asked();
    reducer.push([cutoff(), echo(first, 'How many?'), piece('t', 'thr'), piece('t', 'ee')]);
    const text = { type: 'text', content: 'three', isFinal: true, isInProcess: true };
    expect(lastTurn(reducer)?.parts).toMatchObject([text]);
    reducer.push([whole('t', 'Three.'), usage]);
    expect(lastTurn(reducer)).toMatchObject({
      parts: [{ content: 'Three.', isFinal: true, isInProcess: false }],
      end: 'stop',
      usage: usage.usage,
    });
    expect(reducer.conversation.isStreaming).toBe(false);
  });

  it('returns steps with their parsed JSON', () => {
    const reducer = asked();
    reducer.push([cutoff(), echo(first, 'How many?'), tool('s', 'dataQuery')]);
    expect(lastTurn(reducer)?.parts).toEqual([
      {
        type: 'step',
        id: 's',
        name: 'dataQuery',
        input: { query: {} },
        result: null,
        error: null,
        status: 'running',
      },
    ]);
    reducer.push([tool('s', 'dataQuery', { totalRows: 1, error: null })]);
    expect(lastTurn(reducer)?.parts).toMatchObject([{ result: { totalRows: 1 }, error: null, status: 'done' }]);
  });

  it.each([
    ['Too many.', 'Too many.'],
    [{ message: 'Too many.' }, 'Too many.'],
    [{ reason: 1 }, 'The tool failed without an error message.'],
  ])('reports why a step failed: %j', (error, reason) => {
    const reducer = asked();
    reducer.push([cutoff(), tool('s', 'dataQuery', { error })]);
    expect(lastTurn(reducer)?.parts).toMatchObject([{ status: 'failed', error: reason }]);
  });

  it('returns the text of a step that is not JSON', () => {
    const reducer = asked();
    const call = { id: 's', role: 'assistant', toolCall: { name: 'x', input: 'SELECT', result: '{' } } as const;
    reducer.push([cutoff(), call]);
    expect(lastTurn(reducer)?.parts).toMatchObject([{ input: 'SELECT', result: '{', status: 'done' }]);
  });

  it('uses the last text of the node final as the answer', () => {
    const reducer = asked();
    const inner = { graphPath: ['final', 'a', 'b'] };
    reducer.push([cutoff(), whole('a', 'no'), whole('b', 'yes'), whole('c', 'inner', inner), usage]);
    expect(lastTurn(reducer)?.parts.map(part => part.type === 'text' && part.isFinal)).toEqual([false, true, false]);
  });

  it('uses the last text as the answer without such a node, once no step can follow', () => {
    const reducer = asked();
    reducer.push([cutoff(), whole('a', 'I look.', { graphPath: ['data_analyst_agent'] }), tool('s', 'dataQuery', {})]);
    expect(lastTurn(reducer)?.parts).toMatchObject([{ isFinal: false }, {}]);
    reducer.push([usage]);
    expect(lastTurn(reducer)?.parts).toMatchObject([{ isFinal: true }, {}]);
  });

  it.each([
    [{ id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'Stopped.' } as const, 'aborted', null],
    [{ error: 'The model is gone.' }, 'failed', 'The model is gone.'],
    [whole('t', 'cut', { finishReason: 'length' }), 'length', null],
  ])('ends with %j, and nothing remains in process', (frame, end, error) => {
    const reducer = asked();
    reducer.push([cutoff(), tool('s', 'dataQuery'), piece('t', 'cut'), frame, usage]);
    expect(lastTurn(reducer)).toMatchObject({ end, error, parts: [{ status: 'failed' }, { isInProcess: false }] });
    expect(reducer.conversation.isStreaming).toBe(false);
  });

  it('is suspended, and continues when its stream starts again', () => {
    const reducer = asked();
    reducer.push([
      cutoff(),
      echo(first, 'How many?'),
      piece('1', 'half'),
      { id: '__suspended__', type: 'suspend', messageId: first, retryable: true, error: 'Restart.' },
      usage,
    ]);
    expect(reducer.conversation).toMatchObject({ suspendedMessageId: first, turns: [{ end: 'suspended' }] });
    reducer.open('replay', first);
    reducer.push([cutoff(), echo(first, 'How many?'), whole('2', 'The whole.')]);
    expect(reducer.conversation).toMatchObject({
      suspendedMessageId: null,
      turns: [{ end: null, parts: [{ content: 'The whole.' }] }],
    });
  });

  const suspendedText = whole('1', 'half', { finishReason: 'suspended' });

  it('is interrupted if a join reports it as suspended but no longer resumable', () => {
    const reducer = asked();
    reducer.push([cutoff({ isStreaming: false }), echo(first, 'How many?'), suspendedText, usage]);
    expect(reducer.conversation).toMatchObject({ suspendedMessageId: null, turns: [{ end: 'interrupted' }] });
  });

  it('is interrupted once another message replaces it', () => {
    const reducer = asked();
    const suspended: ChatFrame = { id: '__suspended__', type: 'suspend', messageId: first, error: 'Restart.' };
    reducer.push([cutoff(), echo(first, 'How many?'), suspendedText, suspended, usage]);
    expect(lastTurn(reducer)?.end).toBe('suspended');
    reducer.ask(second, { content: 'And now?', images: [] });
    expect(reducer.conversation.turns.map(({ end }) => end)).toEqual(['interrupted', null]);
  });

  it('ignores unknown content', () => {
    const reducer = asked();
    const frames: ChatFrame[] = [
      {},
      { id: '__proto__', role: 'assistant', content: 'signal' },
      { id: '__news__', role: 'assistant', content: 'signal' },
      { id: 'x', content: 'nobody' },
      { role: 'assistant', content: 'no id' },
      { id: '__state__', role: 'assistant', state: { messages: [] } },
      whole('constructor', 'Here.'),
    ];
    reducer.push([cutoff(), ...frames, usage]);
    expect(lastTurn(reducer)?.parts).toMatchObject([{ id: 'constructor', content: 'Here.' }]);
  });

  it('treats a repeated id as the same message', () => {
    const reducer = asked();
    reducer.push([cutoff(), echo(first, 'a'), whole('t', 'x'), echo(first, 'a'), whole('t', 'x'), usage]);
    expect(reducer.conversation.turns).toMatchObject([{ parts: [{ content: 'x' }] }]);
  });

  it('works without a cutoff', () => {
    const reducer = read([echo(first, 'a'), whole('1', 'x'), cutoff({ isStreaming: false })]);
    reducer.ask(second, { content: 'b', images: [] });
    reducer.open('replay', second);
    reducer.push([echo(second, 'b'), whole('2', 'y'), usage]);
    expect(reducer.conversation.turns).toMatchObject([{ id: first }, { id: second, end: 'stop' }]);
  });

  it('is ended by the page if no frame ends it', () => {
    const reducer = asked();
    reducer.settle('failed', 'Too many runs.');
    expect(lastTurn(reducer)).toMatchObject({ end: 'failed', error: 'Too many runs.' });
  });
});

describe('an existing thread', () => {
  const stored = [...storedFrames(turnFrames(first, 'a')), ...storedFrames(turnFrames(second, 'b'))];

  it('equals the streamed thread', () => {
    const live = asked(first, 'a');
    live.push([cutoff(), ...turnFrames(first, 'a'), usage]);
    live.ask(second, { content: 'b', images: [] });
    live.open('replay', second);
    live.push([cutoff(), ...turnFrames(second, 'b'), usage]);
    const back = read([...stored, cutoff({ isStreaming: false }), usage]).conversation;
    const withoutUsage = live.conversation.turns.map(turn => ({ ...turn, usage: null }));
    expect(back).toEqual({ ...live.conversation, turns: withoutUsage });
  });

  it('reuses unchanged objects', () => {
    const reducer = read([...stored, cutoff({ isStreaming: false }), usage]);
    const before = reducer.conversation;
    reducer.open('replay', null);
    reducer.push([...stored, cutoff({ isStreaming: false }), usage]);
    expect(reducer.conversation.turns[0]).toBe(before.turns[0]);
    expect(reducer.conversation.turns[1]).toBe(before.turns[1]);
  });

  it('has the feedback on its answers; feedback given in this page is newer', () => {
    const rated = stored.map(frame => (frame.id === first ? { ...frame, feedback: { rating: 'up' as const } } : frame));
    const replay = [...rated, cutoff({ isStreaming: false }), usage];
    const reducer = read(replay);
    const shown = () => reducer.conversation.turns.map(({ feedback }) => feedback?.rating ?? null);
    expect(shown()).toEqual(['up', null]);
    const before = reducer.conversation;
    reducer.open('replay', null);
    reducer.push(structuredClone(replay));
    expect(reducer.conversation.turns).toEqual(before.turns);
    expect(reducer.conversation.turns[0]).toBe(before.turns[0]);
    reducer.rate(first, null);
    reducer.rate(second, { rating: 'down' });
    expect(shown()).toEqual([null, 'down']);
    for (let time = 0; time < 2; time += 1) {
      reducer.open('replay', null);
      reducer.push(replay);
      expect(shown()).toEqual([null, 'down']);
    }
  });

  it('reports an answer in progress without ending it', () => {
    const half = [echo(second, 'b'), piece('t', 'so far')];
    const reducer = read([...storedFrames(turnFrames(first, 'a')), cutoff(), ...half, usage]);
    expect(reducer.conversation).toMatchObject({ isStreaming: true, turns: [{ end: 'stop' }, { end: null }] });
  });

  it.each([
    ['an answer in progress', [echo(first, 'a'), piece('t', 'half')], 'interrupted'],
    ['no answer', [echo(first, 'a')], 'interrupted'],
    ['an answer', [echo(first, 'a'), whole('t', 'x')], 'stop'],
    ['an answer that was stopped', [echo(first, 'a'), whole('t', 'x', { finishReason: 'aborted' })], 'aborted'],
    ['an expired suspension', [echo(first, 'a'), whole('t', 'x', { finishReason: 'suspended' })], 'interrupted'],
  ] as const)('ends %s correctly', (_what, frames, end) => {
    expect(lastTurn(read([...frames, cutoff({ isStreaming: false }), usage]))?.end).toBe(end);
  });

  it('reports what can be resumed', () => {
    const state = { isStreaming: false, suspended: { messageId: first } };
    const { conversation } = read([echo(first, 'a'), piece('t', 'half'), cutoff(state), usage]);
    expect(conversation).toMatchObject({ suspendedMessageId: first, turns: [{ end: 'suspended' }] });
  });

  it('is unchanged until the replay is complete', () => {
    const reducer = read([...stored, cutoff({ isStreaming: false })]);
    const before = reducer.conversation;
    reducer.open('replay', null);
    reducer.push(stored.slice(0, 3));
    expect(reducer.conversation.turns).toEqual(before.turns);
  });
});

describe('reduceFrames', () => {
  it('reduces a stream in any number of pieces', () => {
    const frames = [cutoff(), ...turnFrames(first, 'a'), usage];
    const atOnce = reduceFrames(emptyConversation, frames);
    const oneByOne = frames.reduce((sum, frame) => reduceFrames(sum, [frame]), emptyConversation);
    expect(atOnce.turns).toMatchObject([{ id: first, end: 'stop', usage: usage.usage }]);
    expect(oneByOne).toEqual(atOnce);
  });

  it('does not change its input', () => {
    const before = reduceFrames(emptyConversation, [cutoff(), echo(first, 'a'), piece('t', 'x')]);
    const copy = structuredClone(before);
    reduceFrames(before, [piece('t', 'y'), usage]);
    expect(before).toEqual(copy);
  });
});
