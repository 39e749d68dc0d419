import { afterEach, describe, expect, it, vi } from 'vitest';
import { createModelAgent, type ModelAgentOptions } from '../../../../src/platform/agent/language-model/model-agent.js';
import { eventually } from '../../../eventually.js';
import { calling, event, inPieces, type LlmReply, type LlmRequest, saying, usage } from './fake-llm.js';
import { echoTool, only, question, type RunOptions, runTurn, secret, startAgent, textsOf } from './run-agent.js';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(
  replies: readonly (LlmReply | ((request: LlmRequest) => LlmReply))[],
  options: Partial<ModelAgentOptions> = {},
) {
  const started = await startAgent(replies, options);
  closers.push(started.llm.close);
  return { ...started, run: (how: RunOptions = {}) => runTurn(started.agent, how) };
}

const says = (text: string): LlmReply => ({ pieces: [saying([text])] });
const calls = (...list: Parameters<typeof calling>[0]): LlmReply => ({ pieces: [calling(list)] });

describe('an answer', () => {
  it.each([1, 2, 3, 7, 50, 100_000])('is parsed from packets of %i bytes', async size => {
    const texts = ['Grüße, ', 'мир ', '\u{1F469}\u200D\u{1F680} ', '\ud83d', '\ude80', '.'];
    const { run } = await start([{ pieces: inPieces(saying(texts, 'stop', usage(10, 5, 4)), size) }]);
    const events = await run();
    expect(textsOf(events)).toEqual([{ text: texts.join(''), final: true }]);
    expect(events.slice(-2)).toEqual([
      {
        type: 'usage',
        usage: {
          models: ['test-model'],
          llmCalls: 1,
          inputTokens: 10,
          outputTokens: 5,
          cacheReadTokens: 4,
          cacheWriteTokens: 0,
          totalTokens: 15,
        },
      },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('is parsed with any line ending and with comments between events', async () => {
    const stream = saying(['Hello', ' there']).replaceAll('\n\n', '\r\n: keep alive\r\n\r\n');
    const { run } = await start([{ pieces: inPieces(stream, 5) }]);
    expect(textsOf(await run())).toEqual([{ text: 'Hello there', final: true }]);
  });

  it('has no token counts if the service reports none', async () => {
    const { run } = await start([says('Hello')]);
    expect(only(await run(), 'usage')[0]?.usage).toMatchObject({ llmCalls: 1, inputTokens: 0, totalTokens: 0 });
  });

  it.each(['reasoning_content', 'reasoning'])('is separate from reasoning in %s', async key => {
    const thinking = ['Let me', ' think'].map(text => event({ delta: { [key]: text } }));
    const { run } = await start([{ pieces: [...thinking, saying(['Hello'])] }]);
    const events = await run();
    expect(only(events, 'thinking').map(({ delta }) => delta)).toEqual(['Let me', ' think']);
    expect(new Set(only(events, 'thinking').map(({ id }) => id)).size).toBe(1);
    expect(textsOf(events)).toEqual([{ text: 'Hello', final: true }]);
  });

  it('is requested with the instructions and the model of the agent', async () => {
    const { run, llm } = await start([says('Hello'), says('Hello')]);
    const events = await run({ turn: { instructions: 'Speak like a pilot.', model: 'small-model' } });
    expect(llm.requests[0]?.body).toMatchObject({ model: 'small-model' });
    expect(JSON.stringify(llm.requests[0]?.body.messages[0])).toContain('Speak like a pilot.');
    expect(only(events, 'usage')[0]?.usage.models).toEqual(['small-model']);
    await run();
    expect(llm.requests[1]?.body).toMatchObject({ model: 'test-model' });
    expect(JSON.stringify(llm.requests[1]?.body)).not.toContain('pilot');
  });

  it('is requested with the user, the history and the tools', async () => {
    const { run, llm } = await start([says('Hello')]);
    const { tool } = echoTool();
    const result = { data: Array(500).fill(['x'.repeat(50)]), vegaSpec: '{}' };
    const history = [
      { input: 'First?', answer: 'First.', calls: [{ name: 'echo', input: { a: 1 }, result }] },
      { input: 'Second?', answer: '', calls: [] },
    ];
    const images = [{ mimeType: 'image/png', data: Buffer.from('png').toString('base64') }] as const;
    await run({ tools: [tool], turn: { history, images, locale: 'de-CH' } });
    const [request] = llm.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBe(`Bearer ${secret}`);
    const { messages, tools, model, tool_choice, stream_options } = request?.body ?? { messages: [] };
    expect({ model, tool_choice, stream_options }).toEqual({
      model: 'test-model',
      tool_choice: 'auto',
      stream_options: { include_usage: true },
    });
    expect(tools?.map(({ function: { name } }) => name)).toEqual(['echo']);
    expect(messages.map(({ role }) => role).join(' ')).toBe('system user assistant tool assistant user assistant user');
    expect(messages[0]?.content).toMatch(/de-CH.*Europe\/Rome.*Tuesday, 2024-05-07/s);
    expect(messages[2]?.tool_calls?.[0]?.function).toEqual({ name: 'echo', arguments: '{"a":1}' });
    expect(String(messages[3]?.content).length).toBeLessThan(2500);
    expect(messages.at(-1)?.content).toEqual([
      { type: 'text', text: question.input },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${images[0].data}` } },
    ]);
  });

  it('is requested with only the newest history that fits in the prompt', async () => {
    const { run, llm } = await start([says('Hello')]);
    const history = Array.from({ length: 300 }, (_, index) => ({
      input: `Q${index}`,
      answer: 'a'.repeat(9000),
      calls: [],
    }));
    await run({ turn: { history } });
    const { messages } = llm.requests[0]?.body ?? { messages: [] };
    expect(JSON.stringify(messages).length).toBeLessThan(50_000);
    expect(messages.at(-3)?.content).toBe('Q299');
    expect(messages[0]?.role).toBe('system');
  });

  it('is requested without credentials if no key is set', async () => {
    const { run, llm } = await start([says('Hello')], { apiKey: null });
    await run();
    expect(llm.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('tool calls', () => {
  it.each([1, 3, 1000])('are assembled from chunks of %i characters, and their results are sent', async size => {
    const input = { text: 'Grüße "\\" \u{1F680}', list: [1, { a: null }] };
    const call = calling([['echo', JSON.stringify(input)]], size, 'Let me look.');
    const { run, llm } = await start([{ pieces: inPieces(call, 11) }, says('Done')]);
    const { tool, run: ran } = echoTool();
    const events = await run({ tools: [tool] });
    expect(ran.mock.calls.map(([given]) => given)).toEqual([input]);
    const [toolCall] = only(events, 'tool-call');
    expect(toolCall).toEqual({ type: 'tool-call', id: expect.stringMatching(/^[\da-f]{9}$/), name: 'echo', input });
    expect(only(events, 'tool-result')).toEqual([{ type: 'tool-result', id: toolCall?.id, result: { echoed: input } }]);
    expect(textsOf(events)).toEqual([
      { text: 'Let me look.', final: false },
      { text: 'Done', final: true },
    ]);
    expect(events.map(({ type }) => type).join(' ')).toBe(
      'text text-end tool-call tool-result step text text-end usage finish',
    );
    expect(llm.requests[1]?.body.messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          { id: toolCall?.id, type: 'function', function: { name: 'echo', arguments: JSON.stringify(input) } },
        ],
      },
      { role: 'tool', tool_call_id: toolCall?.id, content: JSON.stringify({ echoed: input }) },
    ]);
  });

  it('of one step run concurrently, three at a time', async () => {
    const list = Array.from({ length: 7 }, (_, index) => ['echo', JSON.stringify({ index })] as const);
    const { run } = await start([calls(...list), says('Done')]);
    let running = 0;
    let most = 0;
    const { tool, run: ran } = echoTool();
    ran.mockImplementation(async input => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(resolve => setImmediate(resolve));
      running -= 1;
      return { echoed: input };
    });
    const events = await run({ tools: [tool] });
    expect(most).toBe(3);
    expect(only(events, 'tool-result').map(({ result }) => result)).toEqual(
      list.map(([, input]) => ({ echoed: JSON.parse(input) })),
    );
  });

  it.each([
    ['an unknown tool', ['fetchUrl', '{"url":"http://example.com"}'], /Unknown tool fetchUrl\. Use echo/],
    ['a tool of an odd name', ['../echo {}', '{}'], /Unknown tool/],
    ['arguments that are no JSON', ['echo', '{"a": '], /must be a JSON object/],
    ['arguments that are not an object', ['echo', '["a"]'], /must be a JSON object/],
    ['arguments that are too long', ['echo', JSON.stringify({ a: 'x'.repeat(70_000) })], /too long/],
    ['input that the tool rejects', ['echo', '{"fail":"known"}'], /^unknown member x\.y$/],
    ['what breaks the tool', ['echo', '{"fail":"badly"}'], /^The tool failed\.$/],
  ] as const)('that cannot run are reported to the model: %s', async (_what, call, error) => {
    const { run, llm } = await start([calls(call), says('Sorry')]);
    const { tool } = echoTool();
    const events = await run({ tools: [tool] });
    const [result] = only(events, 'tool-result');
    expect(result?.result).toEqual({ error: expect.stringMatching(error) });
    const [asked, reply] = llm.requests[1]?.body.messages.slice(-2) ?? [];
    expect(asked?.tool_calls?.[0]?.function.name).toMatch(/^[\w-]{1,64}$/);
    expect(JSON.parse(asked?.tool_calls?.[0]?.function.arguments ?? '')).toBeTypeOf('object');
    expect(reply?.content).toBe(JSON.stringify(result?.result));
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('that throw are reported to the operator and not to the caller', async () => {
    const { run, failures } = await start([calls(['echo', '{"fail":"badly"}']), says('Sorry')]);
    const events = await run({ tools: [echoTool().tool] });
    expect(failures).toEqual([expect.objectContaining({ message: 'secret detail' })]);
    expect(JSON.stringify(events)).not.toContain('secret detail');
  });

  it('reuse the result of an identical call and end after 8 steps', async () => {
    const loop = calls(['echo', '{"a":1}']);
    const { run, llm } = await start([({ body }) => (body.tool_choice === 'none' ? says('This is all.') : loop)]);
    const { tool, run: ran } = echoTool();
    const events = await run({ tools: [tool] });
    expect(ran).toHaveBeenCalledTimes(1);
    expect(llm.requests).toHaveLength(9);
    expect(llm.requests.map(({ body }) => body.tool_choice)).toEqual([...Array(8).fill('auto'), 'none']);
    expect(only(events, 'tool-result').map(({ result }) => result)).toEqual(Array(8).fill({ echoed: { a: 1 } }));
    expect(textsOf(events)).toEqual([{ text: 'This is all.', final: true }]);
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length', message: expect.stringContaining('cut off') });
    expect(only(events, 'usage')[0]?.usage.llmCalls).toBe(9);
  });

  it('are limited to 12 per turn', async () => {
    let made = 0;
    const flood = ({ body }: LlmRequest) => {
      if (body.tool_choice === 'none') return says('Enough.');
      return calls(...Array.from({ length: 50 }, () => ['echo', `{"a":${made++}}`] as const));
    };
    const { run, llm } = await start([flood]);
    const { tool, run: ran } = echoTool();
    const events = await run({ tools: [tool] });
    expect(ran).toHaveBeenCalledTimes(12);
    expect(llm.requests).toHaveLength(2);
    expect(only(events, 'tool-call')).toHaveLength(12);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  });

  it('end even if the model ignores that tools are disabled', async () => {
    const { run, llm } = await start([calls(['echo', '{"a":1}'])]);
    const events = await run({ tools: [echoTool().tool] });
    expect(llm.requests).toHaveLength(9);
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'failed',
      message: expect.stringContaining('no answer'),
    });
  });

  it('return at most 60,000 characters to the model per turn, with a note if rows were omitted', async () => {
    let made = 0;
    const { run, llm } = await start([
      ({ body }) => (body.tool_choice === 'none' ? says('Done') : calls(['rows', `{"a":${made++}}`])),
    ]);
    const { tool, run: ran } = echoTool('rows');
    const data = Array.from({ length: 100 }, (_, row) => [String(row), 'x'.repeat(240)]);
    ran.mockImplementation(async () => ({
      queryTitle: 'Rows',
      data,
      totalRows: 100,
      uuid: 'u',
      vegaSpec: '{"mark":"bar"}',
    }));
    const events = await run({ tools: [tool] });
    const contents = (llm.requests.at(-1)?.body.messages ?? [])
      .filter(({ role }) => role === 'tool')
      .map(m => String(m.content));
    expect(contents).toHaveLength(8);
    expect(contents.join('').length).toBeLessThan(61_000);
    const results: { data?: unknown[]; note?: string }[] = contents.map(text => JSON.parse(text));
    expect(results.map(result => result.data?.length ?? 0)).toEqual([100, 100, expect.any(Number), 0, 0, 0, 0, 0]);
    expect(results[2]?.data?.length).toBeGreaterThan(10);
    expect(results.slice(2).every(({ note }) => note !== undefined)).toBe(true);
    expect(contents[0]).not.toMatch(/vegaSpec|uuid/);
    expect(only(events, 'tool-result').every(({ result }) => result.data === data)).toBe(true);
  });

  it('include the signature that the service expects to receive again', async () => {
    const signed = event({
      delta: {
        tool_calls: [
          {
            index: 0,
            id: 'a',
            function: { name: 'echo', arguments: '{}' },
            extra_content: { google: { thought_signature: 'signed' } },
          },
        ],
      },
    });
    const { run, llm } = await start([
      { pieces: [signed, event({ delta: {}, finish_reason: 'tool_calls' })] },
      says('Done'),
    ]);
    await run({ tools: [echoTool().tool] });
    expect(JSON.stringify(llm.requests[1]?.body.messages)).toContain('"thought_signature":"signed"');
  });
});

describe('a turn', () => {
  it('resumes in another process after its last step', async () => {
    const replies = [
      { pieces: [calling([['echo', '{"a":1}']], 5, 'First')] },
      { pieces: [calling([['echo', '{"a":2}']])] },
      says('Done'),
    ];
    const whole = await start(replies);
    const { tool, run: ran } = echoTool();
    const events = await whole.run({ tools: [tool] });
    const steps = only(events, 'step').map(({ state }) => state);
    expect(steps).toHaveLength(2);

    for (const [index, state] of steps.entries()) {
      const resumed = await start(replies.slice(index + 1));
      ran.mockClear();
      const rest = await resumed.run({ tools: [tool], turn: { resumeFrom: JSON.parse(JSON.stringify(state)) } });
      expect(resumed.llm.requests[0]?.body.messages).toEqual(whole.llm.requests[index + 1]?.body.messages);
      expect(ran).toHaveBeenCalledTimes(1 - index);
      expect(textsOf(rest)).toEqual([{ text: 'Done', final: true }]);
      expect(only(rest, 'usage')[0]?.usage.llmCalls).toBe(3);
      const ids = new Set(only(events, 'tool-call').map(({ id }) => id));
      expect(only(rest, 'tool-call').filter(({ id }) => ids.has(id))).toEqual([]);
    }
  });

  it('counts usage from before the interruption', async () => {
    const { run } = await start([says('Done')]);
    const call = { id: 'a', name: 'echo', input: {}, output: '{}' };
    const none = { inputTokens: 5, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, totalTokens: 5 };
    const resumeFrom = {
      version: 1,
      steps: [{ text: '', calls: Array(12).fill(call) }],
      usage: { llmCalls: 4, ...none },
    };
    const events = await run({ turn: { resumeFrom } });
    expect(events.at(-1)).toMatchObject({ reason: 'length' });
    expect(only(events, 'usage')[0]?.usage).toMatchObject({ llmCalls: 5, inputTokens: 5 });
  });

  it.each([{}, { version: 2 }, { version: 1, steps: [{ text: 7 }] }, { version: 1, steps: 'x', usage: {} }])(
    'starts over if the stored state is invalid: %j',
    async resumeFrom => {
      const { run, llm } = await start([says('Hello')]);
      const events = await run({ turn: { resumeFrom } });
      expect(llm.requests[0]?.body.messages).toHaveLength(2);
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    },
  );

  it('ends without an error when aborted and closes the request', async () => {
    const { run, llm } = await start([{ pieces: [event({ delta: { content: 'Hel' } })], ending: 'never' }]);
    const controller = new AbortController();
    const events = await run({ signal: controller.signal, onEvent: () => controller.abort() });
    expect(events.map(({ type }) => type)).toEqual(['text']);
    await eventually(() => expect(llm.requests[0]?.isDropped()).toBe(true));
  });

  it('ends without an error when aborted before a response or during a tool call', async () => {
    const waiting = await start([{ ending: 'never' }]);
    const controller = new AbortController();
    const events = waiting.run({ signal: controller.signal });
    await eventually(() => expect(waiting.llm.requests).toHaveLength(1));
    controller.abort();
    expect(await events).toEqual([]);
    await eventually(() => expect(waiting.llm.requests[0]?.isDropped()).toBe(true));

    const busy = await start([calls(['echo', '{}'])]);
    const { tool, run: ran } = echoTool();
    const stopped = new AbortController();
    ran.mockImplementation((_input, { signal }) => {
      stopped.abort();
      return Promise.reject(signal.reason);
    });
    const received = await busy.run({ signal: stopped.signal, tools: [tool] });
    expect(received.map(({ type }) => type)).toEqual(['tool-call']);
    expect(await busy.run({ signal: stopped.signal, tools: [tool] })).toEqual([]);
  });

  it('closes the request when its consumer stops reading', async () => {
    const { agent, llm } = await start([{ pieces: [event({ delta: { content: 'Hel' } })], ending: 'never' }]);
    const context = { data: { meta: vi.fn(), load: vi.fn() }, tools: new Map(), signal: new AbortController().signal };
    for await (const streamed of agent.run(question, context)) {
      expect(streamed.type).toBe('text');
      break;
    }
    await eventually(() => expect(llm.requests[0]?.isDropped()).toBe(true));
  });
});

describe('an agent', () => {
  it('returns the configured suggestions, or none', async () => {
    const options = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: null, model: 'm' };
    const data = { meta: vi.fn(), load: vi.fn() };
    expect(await createModelAgent(options).suggestions(data, 'en')).toEqual([]);
    const suggestions = async () => ['How many orders?'];
    expect(await createModelAgent({ ...options, suggestions }).suggestions(data, 'en')).toEqual(['How many orders?']);
  });

  it.each(['', 'models.example.com', 'file:///etc/passwd', 'https://user:hunter2@example.com/v1'])(
    'rejects the address %j',
    baseUrl => {
      const make = () => createModelAgent({ baseUrl, apiKey: null, model: 'm' });
      expect(make).toThrow(/must be an http or https URL/);
      expect(make).not.toThrow(/hunter2/);
    },
  );

  it.each([
    ['gpt-x', 'gpt-x'],
    ['/srv/models/acme-llama-3.gguf', 'acme-llama-3'],
    ['arn:aws:bedrock:eu:123456789:inference-profile/eu.acme.model-v1:0', 'eu.acme.model-v1:0'],
    ['org/model<script>', 'modelscript'],
    ['/', 'model'],
  ])('reports the model %s as %s', async (model, name) => {
    const { run } = await start([says('Hello')], { model });
    expect(only(await run(), 'usage')[0]?.usage.models).toEqual([name]);
  });
});
