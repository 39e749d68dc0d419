import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatFrame } from '../../../src/contract/chat.js';
import type { AgentEvent, AgentTurn } from '../../../src/platform/agent/agent.js';
import type { ChatCaller, ChatService, StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { casesAtDepth } from '../../property.js';
import { ask, callerOf, framesOf, openChatDatabase, Reducer, read, startService } from './chat-database.js';
import { oneCall } from './fake-agent.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

/** Returns a deterministic random number generator. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  return { below: (limit: number) => Math.floor(next() * limit), chance: (share: number) => next() < share };
}
type Random = ReturnType<typeof randomOf>;

/** Yields steps with text blocks, calls and pauses that are determined by the input and the step. */
async function* ramble(turn: AgentTurn): AsyncGenerator<AgentEvent> {
  const steps = 1 + (Number(turn.input) % 4);
  for (let step = Number(turn.resumeFrom?.next ?? 0); step < steps; step += 1) {
    const random = randomOf(Number(turn.input) * 10 + step);
    for (let message = 0; message < 1 + random.below(3); message += 1) {
      const id = `${step}.${message}`;
      if (random.chance(0.3)) {
        yield { type: 'tool-call', id, name: 'dataQuery', input: { id } };
        await pause(random);
        yield { type: 'tool-result', id, result: { id } };
      } else {
        for (let piece = 0; piece < 1 + random.below(20); piece += 1) {
          yield { type: random.chance(0.1) ? 'thinking' : 'text', id, delta: `${id}-${piece} ` };
          await pause(random);
        }
        yield { type: 'text-end', id, final: step === steps - 1 };
      }
    }
    if (step < steps - 1) yield { type: 'step', state: { next: step + 1 } };
  }
  yield { type: 'usage', usage: oneCall };
  yield { type: 'finish', reason: 'stop' };
}

async function pause(random: Random): Promise<void> {
  for (let turns = random.below(3); turns > 0; turns -= 1) await setImmediate();
}

/** Returns the final thread of a reader, without fields that differ between attempts. */
function threadOf(frames: readonly ChatFrame[]) {
  const reducer = new Reducer();
  for (const frame of frames) reducer.add(frame);
  return reducer.thread;
}

interface Torn {
  readonly thread: ReturnType<typeof threadOf>;
  readonly connections: number;
}

/** Reads a turn over connections that break at random points and resume from the last event id or from the start. */
async function readTorn(
  service: () => ChatService,
  caller: ChatCaller,
  message: { readonly input: string; readonly messageId: string },
  random: Random,
): Promise<Torn> {
  const reducer = new Reducer();
  let last: string | null = null;
  let connections = 0;
  while (!reducer.ended) {
    const lastEventId: string | null = random.chance(0.7) ? last : null;
    const seen = new Set<string>();
    let framesToRead = reducer.ended || connections > 30 ? 1_000 : random.below(12);
    connections += 1;
    const stream: AsyncIterable<StreamFrame> = await service().open(caller, ask({ ...message, lastEventId }));
    for await (const { id, frame } of stream) {
      if (id !== null && !id.endsWith(':0')) {
        expect(seen.has(id), 'a frame twice in a stream').toBe(false);
        seen.add(id);
        // Frames after the given event id must have higher positions, unless the turn is replayed from the start.
        if (seen.size === 1 && frame.role !== 'user') expect(placeIn(id)).toBeGreaterThan(placeIn(lastEventId));
        else if (seen.size > 1) expect(placeIn(id)).toBeGreaterThan(placeIn(last));
      }
      last = id ?? last;
      reducer.add(frame);
      framesToRead -= 1;
      if (framesToRead < 0) break;
    }
    await pause(random);
  }
  return { thread: reducer.thread, connections };
}

const turns = casesAtDepth(100, 20);
const restarts = casesAtDepth(25, 6);

const placeIn = (id: string | null): number => Number(id?.split(':')[1] ?? 0);

test.each([
  ['pieces are kept', {}],
  ['pieces are joined often', { loosePieces: 3, looseCharacters: 40 }],
  ['runs are forgotten at once', { lingerCharacters: 0 }],
])('a turn read over broken connections equals one read over a single connection: %s', async (name, limits) => {
  const { service, agent, failures } = startService(store.db, limits);
  const { service: elsewhere } = startService(store.db);
  agent.script = ramble;
  const readOne = async (round: number): Promise<number> => {
    const caller = callerOf(`${name} ${round % 10}`);
    const message = { input: String(round), messageId: `${1_700_000_000_000 + round}-message` };
    const whole = framesOf(await service.open(caller, ask(message)));
    const torn = await Promise.all([1, 2].map(n => readTorn(() => service, caller, message, randomOf(round * 7 + n))));
    const expected = threadOf(await whole);
    for (const { thread } of torn) expect(thread).toEqual(expected);
    expect(threadOf(await read(elsewhere, caller, message))).toEqual(expected);
    return torn.reduce((sum, { connections }) => sum + connections, 0);
  };
  let connections = 0;
  for (let round = 0; round < turns; round += 10) {
    const counts = await Promise.all(Array.from({ length: 10 }, (_, n) => readOne(round + n)));
    connections += counts.reduce((sum, count) => sum + count, 0);
  }
  expect(agent.turns).toHaveLength(turns);
  expect(connections).toBeGreaterThan(5 * turns);
  expect(failures).toEqual([]);
});

test('a turn whose process restarts repeatedly equals an uninterrupted turn', async () => {
  const limits = { followEvery: 5 };
  const attempts: AgentTurn[] = [];
  const start = () => {
    const started = startService(store.db, limits);
    started.agent.script = turn => {
      attempts.push(turn);
      return ramble(turn);
    };
    return started;
  };
  for (let round = 0; round < restarts; round += 1) {
    const random = randomOf(round + 1);
    const message = { input: String(4 * round + 3), messageId: '1700000000001-message' };
    const undisturbed = startService(store.db);
    undisturbed.agent.script = ramble;
    const whole = threadOf(await read(undisturbed.service, callerOf(`calm ${round}`), message));
    let current = start();
    const goDown = async () => {
      for (let times = 0; times < 3; times += 1) {
        const begun = attempts.length;
        const isOver = reader.then(() => true);
        while (attempts.length === begun && !(await Promise.race([isOver, setImmediate(false)])));
        for (let turns = random.below(40); turns > 0; turns -= 1) await setImmediate();
        const old = current;
        current = start();
        await old.service.close({ withinMs: random.below(2) * 10 });
      }
    };
    const reader = readPatiently(() => current.service, callerOf(`storm ${round}`), message);
    await goDown();
    const { messages } = (await reader).at(-1) ?? { messages: [] };
    // Positions may differ, because an interrupted attempt numbers its frames separately. The text blocks and their
    // order must be equal.
    const said = (list: typeof messages) =>
      list.map(({ content, thinking, rest }) => [content, thinking, rest.toolCall, rest.finishReason]);
    expect(said(messages)).toEqual(said(whole.at(-1)?.messages ?? []));
  }
  expect(attempts.filter(({ resumeFrom }) => resumeFrom !== null).length).toBeGreaterThan(restarts / 3);
});

/** Sends the message again until the turn is complete. */
async function readPatiently(
  service: () => ChatService,
  caller: ChatCaller,
  message: { readonly input: string; readonly messageId: string },
) {
  const reducer = new Reducer();
  let last: string | null = null;
  for (;;) {
    let isSuspended = false;
    const stream: AsyncIterable<StreamFrame> | null = await service()
      .open(caller, ask({ ...message, lastEventId: last }))
      .catch(unlessGoingDown);
    for await (const { id, frame } of stream ?? []) {
      last = id ?? last;
      isSuspended ||= frame.id === '__suspended__';
      reducer.add(frame);
    }
    if (reducer.ended && !isSuspended) return reducer.thread;
    await setImmediate();
  }
}

function unlessGoingDown(error: unknown): null {
  if (error instanceof PlatformError && error.status === 503) return null;
  throw error;
}
