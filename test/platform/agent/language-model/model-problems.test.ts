import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../../src/platform/agent/agent.js';
import type { ModelAgentOptions } from '../../../../src/platform/agent/language-model/model-agent.js';
import { LoggableError } from '../../../../src/platform/errors.js';
import { eventually } from '../../../eventually.js';
import { withFakeTimers } from '../../../with-fake-timers.js';
import { calling, event, type LlmReply, saying } from './fake-llm.js';
import { echoTool, only, type RunOptions, runTurn, secret, startAgent, textsOf } from './run-agent.js';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

async function start(replies: readonly (LlmReply | (() => LlmReply))[], options: Partial<ModelAgentOptions> = {}) {
  const started = await startAgent(replies, options);
  closers.push(started.llm.close);
  const run = async (how: RunOptions = {}) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const events = await runTurn(started.agent, how);
    const output = JSON.stringify([events, started.failures.map(error => [String(error), error]), printed.mock.calls]);
    for (const hidden of [secret, '127.0.0.1', String(started.llm.port)]) expect(output).not.toContain(hidden);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    return events;
  };
  return { ...started, run };
}

const whole: LlmReply = { pieces: [saying(['Hello'])] };
const begun = (text: string): LlmReply => ({ pieces: [event({ delta: { content: text } })], ending: 'cut' });

function endOf(events: readonly AgentEvent[]) {
  return events.at(-1);
}

describe('a request that fails temporarily', () => {
  it.each([
    ['429 with a time', { status: 429, headers: { 'retry-after': '0.01' } }],
    ['429 with a date', { status: 429, headers: { 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' } }],
    ['429 with nonsense', { status: 429, headers: { 'retry-after': 'later' } }],
    ['500', { status: 500, pieces: ['{"error": "broken"}'], headers: { 'content-type': 'application/json' } }],
    ['503 with a time', { status: 503, headers: { 'retry-after': '0' } }],
    ['a connection cut before anything came', { ending: 'cut' }],
    ['an error in a stream', { pieces: ['data: {"error": {"message": "overloaded", "code": 503}}\n\n'] }],
    ['a stream that isn’t JSON', { pieces: ['data: {"choices": [\n\n'] }],
  ] as const)('is retried twice: %s', async (_what, refusal) => {
    const twice = await start([refusal, refusal, whole]);
    const events = await twice.run();
    expect(textsOf(events)).toEqual([{ text: 'Hello', final: true }]);
    expect(endOf(events)).toEqual({ type: 'finish', reason: 'stop' });
    expect(only(events, 'usage')[0]?.usage.llmCalls).toBe(3);

    const always = await start([refusal]);
    expect(endOf(await always.run())).toMatchObject({ type: 'finish', reason: 'failed' });
    expect(always.llm.requests).toHaveLength(3);
  });

  it.each(['21', '86400', new Date(Date.now() + 3_600_000).toUTCString()])(
    'is not retried if the service requests a delay of %s',
    async time => {
      const { run, llm } = await start([{ status: 429, headers: { 'retry-after': time } }]);
      const message = 'The language model is busy. Try again in a moment.';
      expect(endOf(await run())).toEqual({ type: 'finish', reason: 'failed', message });
      expect(llm.requests).toHaveLength(1);
    },
  );

  it.each([
    [400, 'rejected the request'],
    [401, 'not available'],
    [403, 'not available'],
    [404, 'not available'],
    [413, 'rejected the request'],
    [301, 'not available'],
    [307, 'not available'],
  ])('is not retried after status %i', async (status, message) => {
    const pieces = [`{"error": {"message": "Incorrect key ${secret} at 127.0.0.1"}}`];
    const refusal = { status, pieces, headers: { 'content-type': 'application/json', location: 'http://127.0.0.2/' } };
    const { run, llm, failures } = await start([refusal]);
    const finish = { type: 'finish', reason: 'failed', message: expect.stringContaining(message) };
    expect(endOf(await run())).toEqual(finish);
    expect(llm.requests).toHaveLength(1);
    expect(failures).toEqual([expect.any(LoggableError)]);
    expect(String(failures[0])).toContain(String(status));
  });

  it('can be aborted during the retry delay', async () => {
    const { run, llm } = await start([{ status: 429, headers: { 'retry-after': '19' } }]);
    const controller = new AbortController();
    const events = run({ signal: controller.signal });
    await eventually(() => expect(llm.requests).toHaveLength(1));
    controller.abort();
    expect(await events).toEqual([]);
  });

  it('reports an unreachable language model as unavailable', async () => {
    const { run, llm, failures } = await start([whole]);
    await llm.close();
    closers.pop();
    const message = 'The language model is not available. Try again in a moment.';
    expect(endOf(await run())).toEqual({ type: 'finish', reason: 'failed', message });
    expect(String(failures[0])).toContain('is unreachable');
  });
});

describe('a redirect', () => {
  it.each([301, 302, 307, 308])('with status %i is not followed, so the key does not leak', async status => {
    const reached = vi.fn();
    const elsewhere = createServer((_request, response) => {
      reached();
      response.end();
    }).listen(0, '127.0.0.1');
    await eventually(() => expect(elsewhere.listening).toBe(true));
    const address = elsewhere.address();
    const location = `http://localhost:${typeof address === 'object' ? address?.port : ''}/v1/chat/completions`;
    const { run } = await start([{ status, headers: { location } }]);
    expect(endOf(await run())).toMatchObject({ reason: 'failed' });
    expect(reached).not.toHaveBeenCalled();
    await new Promise(resolve => elsewhere.close(resolve));
  });
});

describe('an interrupted response', () => {
  it('is retried once if only reasoning was shown', async () => {
    const thinking: LlmReply = { pieces: [event({ delta: { reasoning_content: 'Hm' } })], ending: 'cut' };
    const { run } = await start([thinking, whole]);
    const events = await run();
    expect(textsOf(events)).toEqual([{ text: 'Hello', final: true }]);
    expect(endOf(events)).toEqual({ type: 'finish', reason: 'stop' });

    const always = await start([thinking]);
    expect(endOf(await always.run())).toMatchObject({ reason: 'failed' });
    expect(always.llm.requests).toHaveLength(2);
  });

  it('is retried once if a tool call was incomplete, and does not run it', async () => {
    const { tool, run: ran } = echoTool();
    const half: LlmReply = {
      pieces: [
        calling([['echo', '{"a":1}']]).split('data: {"id":"x","model":"m","choices":[{"index":0,"delta":{},')[0] ?? '',
      ],
      ending: 'cut',
    };
    const { run } = await start([half, whole]);
    expect(only(await run({ tools: [tool] }), 'tool-call')).toEqual([]);
    expect(ran).not.toHaveBeenCalled();
  });

  it.each(['cut', 'whole'] as const)('keeps the text that was shown and fails: %s', async ending => {
    const { run, llm } = await start([{ ...begun('Half an ans'), ending }, whole]);
    const events = await run();
    expect(textsOf(events)).toEqual([{ text: 'Half an ans', final: true }]);
    expect(endOf(events)).toMatchObject({ reason: 'failed', message: expect.stringContaining('was lost') });
    expect(llm.requests).toHaveLength(1);
  });

  it('fails the turn at any point and never reports a partial answer as complete', async () => {
    const chunks = ['{"delta":{"content":"Hé"}}', '{"delta":{"content":"llo"}}', '{"finish_reason":"stop"}'];
    const stream = Buffer.from(`${chunks.map(chunk => `data: {"choices":[${chunk}]}\n\n`).join('')}data: [DONE]\n\n`);
    let length = 0;
    const reply = (): LlmReply => ({ pieces: [stream.subarray(0, length)], ending: 'cut' });
    const { run, llm } = await start([reply], { limits: { retries: 0 } });
    const ends = new Set<string>();
    for (; length <= stream.length; length += 1) {
      const events = await run();
      const end = endOf(events);
      const texts = textsOf(events);
      if (end?.type === 'finish' && end.reason === 'stop') expect(texts).toEqual([{ text: 'Héllo', final: true }]);
      else {
        expect(end).toMatchObject({ type: 'finish', reason: 'failed' });
        expect(['', 'Hé', 'Héllo']).toContain(texts.map(({ text }) => text).join(''));
      }
      if (end?.type === 'finish') ends.add(end.reason);
    }
    expect(llm.requests).toHaveLength(stream.length + 1);
    expect([...ends]).toEqual(['failed', 'stop']);
  });
});

describe('a complete response', () => {
  it('is accepted even if the connection stays open or more data follows', async () => {
    const [first = '', rest = ''] = saying(['data: [DONE]\n\nHello']).split(/(?<=\[DO)(?=NE\]\n\n$)/);
    for (const ending of ['never', 'cut'] as const) {
      const { run, llm } = await start([{ pieces: [first, rest, ': more\n'.repeat(9)], ending }]);
      const events = await run();
      expect(textsOf(events)).toEqual([{ text: 'data: [DONE]\n\nHello', final: true }]);
      expect(endOf(events)).toEqual({ type: 'finish', reason: 'stop' });
      expect(llm.requests).toHaveLength(1);
    }
  });
});

describe('an unusable response', () => {
  it.each([
    ['is empty', { pieces: [saying([])] }, 'returned no answer'],
    ['is blank', { pieces: [saying([' \n', ' '])] }, 'returned no answer'],
    ['is filtered', { pieces: [saying(['I ', 'can'], 'content_filter')] }, 'declined'],
    ['is filtered at once', { pieces: [saying([], 'content_filter')] }, 'declined'],
    ['is a refusal', { pieces: [event({ delta: { refusal: 'I can’t' } }), saying([])] }, 'declined'],
  ] as const)('fails if it %s', async (_what, reply, message) => {
    const { run, llm } = await start([reply]);
    expect(endOf(await run())).toEqual({ type: 'finish', reason: 'failed', message: expect.stringContaining(message) });
    expect(llm.requests).toHaveLength(1);
  });

  it.each(['text/html', 'application/json', 'text/event-streams', ''])(
    'fails if its content type is %j',
    async type => {
      const { run, llm, failures } = await start([{ ...whole, headers: { 'content-type': type } }]);
      expect(endOf(await run())).toMatchObject({ reason: 'failed', message: expect.stringContaining('not available') });
      expect(llm.requests).toHaveLength(1);
      expect(String(failures[0])).toContain('not an event stream');
    },
  );

  it('is preserved if the model reached its token limit', async () => {
    const { run } = await start([{ pieces: [saying(['As far as'], 'length')] }]);
    const events = await run();
    expect(textsOf(events)).toEqual([{ text: 'As far as', final: true }]);
    expect(endOf(events)).toMatchObject({ reason: 'length', message: expect.stringContaining('too long') });
  });

  it('is accepted with an unknown finish reason', async () => {
    const { run } = await start([{ pieces: [saying(['Hello'], 'eos')] }]);
    expect(endOf(await run())).toEqual({ type: 'finish', reason: 'stop' });
  });
});

describe('an endless response', () => {
  function* forever(piece: string): Generator<string> {
    for (;;) yield piece;
  }

  it('is cut off by the limit on characters', async () => {
    const delta = event({ delta: { content: 'x'.repeat(100) } });
    const { run, llm } = await start([{ pieces: forever(delta) }], {
      limits: { textCharacters: 5000, retryPauseMs: 1 },
    });
    const events = await run();
    expect(textsOf(events)).toEqual([{ text: 'x'.repeat(5000), final: true }]);
    expect(endOf(events)).toMatchObject({ reason: 'length', message: expect.stringContaining('too long') });
    await eventually(() => expect(llm.requests[0]?.isDropped()).toBe(true));
  });

  it.each([
    ['of one line', 'x'.repeat(1000)],
    [
      'of arguments',
      event({ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'echo', arguments: '[' } }] } }),
    ],
    ['of comments', ': keep alive\n\n'.repeat(100)],
  ])('is cut off by the limit on bytes: %s', async (_what, piece) => {
    const { run, llm } = await start([{ pieces: forever(piece) }], { limits: { answerBytes: 100_000 } });
    expect(endOf(await run())).toMatchObject({ reason: 'length' });
    expect(llm.requests).toHaveLength(1);
    await eventually(() => expect(llm.requests[0]?.isDropped()).toBe(true));
  });

  it.each([
    ['nothing comes', { ending: 'never' }, { silenceMs: 60_000 }, 'request'],
    ['nothing more comes', { ...begun('Hel'), ending: 'never' }, { silenceMs: 60_000 }, 'text'],
    ['it goes on for too long', { pieces: forever(event({ delta: { content: '.' } })) }, { stepMs: 60_000 }, 'text'],
  ] as const)('is aborted if %s', async (_what, reply, limits, first) => {
    // Advance the fake time only after data has arrived. On a busy machine, real timers could expire earlier.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { run, llm } = await start([reply], { limits });
    const begins = vi.fn();
    const ran = run({ onEvent: begins });
    await eventually(() => expect(llm.requests).toHaveLength(1));
    if (first === 'text') await eventually(() => expect(begins).toHaveBeenCalled());
    expect(endOf(await withFakeTimers(ran))).toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('too long'),
    });
    expect(llm.requests).toHaveLength(1);
    await eventually(() => expect(llm.requests[0]?.isDropped()).toBe(true));
  });

  it('with deeply nested tool arguments fails the turn', async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { run } = await start([{ pieces: [calling([['echo', deep]])] }]);
    expect(endOf(await run({ tools: [echoTool().tool] }))).toMatchObject({ type: 'finish', reason: 'failed' });
  });
});
