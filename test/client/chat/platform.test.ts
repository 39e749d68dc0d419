import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinTurn, type RunObserver, readThread, runTurn } from '../../../src/client/chat/chat-run.js';
import type { ChatService, StreamAsk, StreamOptions } from '../../../src/client/chat/chat-service.js';
import type { Conversation } from '../../../src/client/chat/conversation.js';
import { StreamReducer } from '../../../src/client/chat/reduce.js';
import { PaConnectionError, PaError } from '../../../src/client/errors.js';
import type { AgentEvent, AgentTurn } from '../../../src/platform/agent/agent.js';
import { waitTimeoutMs } from '../../eventually.js';
import { ask, callerOf, openChatDatabase, startService } from '../../platform/chat/chat-database.js';
import { oneCall } from '../../platform/chat/fake-agent.js';
import fc, { casesAtDepth, seed } from '../../property.js';

// Tests the client with the real chat service of the platform.

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

/** Steps that call a tool while a text block is still being written. */
async function* ramble(turn: AgentTurn): AsyncGenerator<AgentEvent> {
  for (let step = Number(turn.resumeFrom?.next ?? 0); step < 3; step += 1) {
    const id = (name: string): string => `${step}.${name}`;
    yield { type: 'thinking', id: id('a'), delta: 'Hm, ' };
    yield { type: 'text', id: id('a'), delta: 'I look ' };
    yield { type: 'tool-call', id: id('b'), name: 'dataQuery', input: { step } };
    await setImmediate();
    for (const delta of ['at ', 'the ', 'flights.']) {
      yield { type: 'text', id: id('a'), delta };
      await setImmediate();
    }
    yield { type: 'tool-result', id: id('b'), result: step === 1 ? { error: 'Too many.' } : { rows: step } };
    yield { type: 'text-end', id: id('a'), final: step === 2 };
    if (step < 2) yield { type: 'step', state: { next: step + 1 } };
    await setImmediate();
  }
  yield { type: 'usage', usage: oneCall };
  yield { type: 'finish', reason: 'stop' };
}

type Server = ReturnType<typeof startService>;

/** Returns the service behind connections that break after a number of frames. `onCut` is called on each break. */
function over(server: () => Server, owner: string, cuts: number[], onCut: () => Promise<void>): ChatService {
  const refuse = () => Promise.reject(new PaError('not_found', 'none', { status: 404 }));
  const stream = async (asked: StreamAsk, { onOpen, onFrame }: StreamOptions): Promise<void> => {
    const { chatId = null, messageId = null, input = null, lastEventId = null } = asked;
    const frames = await server().service.open(callerOf(owner), ask({ chatId, messageId, input, lastEventId }));
    onOpen?.();
    let left = cuts.shift() ?? Number.POSITIVE_INFINITY;
    for await (const { id, frame } of frames) {
      if (left <= 0) {
        await onCut();
        throw new PaConnectionError('cut');
      }
      left -= 1;
      onFrame(frame, id);
    }
  };
  return { stream, abort: refuse, threads: refuse, rename: refuse, remove: refuse, suggestions: refuse };
}

function observe(reducer: StreamReducer): RunObserver & { wake: (() => void) | null } {
  const observer = {
    wake: null as (() => void) | null,
    onOpen: reducer.open.bind(reducer),
    onFrames: reducer.push.bind(reducer),
    // Timers are advanced manually. A pause is reported before it begins.
    onStatus: () => void globalThis.setImmediate(() => observer.wake?.()),
  };
  return observer;
}

const withoutUsage = ({ turns, ...rest }: Conversation) => ({
  ...rest,
  turns: turns.map(turn => ({ ...turn, usage: null })),
});

async function chat(owner: string, cuts: number[], restarts: boolean): Promise<void> {
  let server = startService(store.db, { loosePieces: 4 });
  server.agent.script = ramble;
  const restart = async (): Promise<void> => {
    // Wait until the runs have ended, because an active run would hold its lease.
    await server.service.close({ withinMs: waitTimeoutMs });
    server = startService(store.db, { loosePieces: 4 });
    server.agent.script = ramble;
  };
  const service = over(() => server, owner, cuts, restarts ? restart : async () => {});
  const reducer = new StreamReducer();
  for (const messageId of ['1700000000000-message', '1700000001000-message']) {
    const { chatId } = reducer.conversation;
    reducer.ask(messageId, { content: 'Look', images: [] });
    const observer = observe(reducer);
    const run = runTurn(service, { chatId, messageId, input: 'Look' }, observer);
    observer.wake = () => run.wake();
    await run.done;
  }
  cuts.length = 0;
  const { conversation } = reducer;
  const chatId = conversation.chatId ?? expect.fail();
  const joined = new StreamReducer();
  await joinTurn(service, { chatId, messageId: '1700000001000-message' }, observe(joined)).done;
  const back = new StreamReducer();
  await readThread(service, chatId, observe(back));
  expect(conversation.turns.map(turn => [turn.end, turn.parts.map(part => part.type)])).toEqual([
    ['stop', ['text', 'step', 'text', 'step', 'text', 'step']],
    ['stop', ['text', 'step', 'text', 'step', 'text', 'step']],
  ]);
  expect(conversation.turns.map(turn => turn.parts.findLast(part => part.type === 'text')?.content)).toEqual([
    'I look at the flights.',
    'I look at the flights.',
  ]);
  expect(joined.conversation.turns[1]).toEqual(conversation.turns[1]);
  expect(withoutUsage(joined.conversation)).toEqual(withoutUsage(conversation));
  expect(withoutUsage(back.conversation)).toEqual(withoutUsage(conversation));
  await server.service.close({ withinMs: waitTimeoutMs });
}

let count = 0;
/** The cases are split into parts, so that no test takes long. */
const parts = [
  ...[0, 1, 2, 3].map(part => ['lost', part, false, casesAtDepth(15, 3)] as const),
  ...[4, 5].map(part => ['lost by a restart', part, true, casesAtDepth(6, 3)] as const),
];
test.each(parts)(
  'a conversation is the same wherever connections are %s (%i)',
  async (_how, part, restarts, numRuns) => {
    const places = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(places, cuts => {
        count += 1;
        return chat(`owner-${count}`, [...cuts], restarts);
      }),
      { numRuns, seed: seed + part },
    );
  },
);
