import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../e2e/page.js';
import { type Contestant, measureAtRest, measureHistory, measureStream, type Work } from './chat-browser.js';
import type { DocumentName } from './chat-corpus.js';
import { longThread, startChatServer, threadLength } from './chat-server.js';
import { type Asker, memoryOf, readStream } from './chat-streams.js';
import { prepareSources } from './data.js';
import { type RunningPlatform, startPlatform } from './data-platform.js';
import { type Bench, type BenchOptions, type Figure, median, millis } from './figures.js';
import { root } from './root.js';

const aims: readonly (readonly [DocumentName, string, number])[] = [
  ['mixed', '40 KB of mixed Markdown', 1.8],
  ['code', 'one fence of 39 KB', 3],
  ['table', 'one table of 39 KB', 4],
  ['list', 'one list of 39 KB', 4],
  ['paragraph', 'one paragraph of 39 KB', 2.5],
];
const runs = 3;

/** The chat in the page against its peer and against plain text, and the Chat API under load. */
export const chatFigures: Bench = async function* (options) {
  const server = await startChatServer();
  options.onStop(server.stop);
  const browser = await launchBrowser();
  options.onStop(() => browser.close());
  const setting = { browser, origin: server.origin, note: options.note };
  yield* streams(setting);
  yield* threads(setting);
  await browser.close();
  await server.stop();
  yield* service(options);
};

interface Setting {
  readonly browser: Browser;
  readonly origin: string;
  readonly note: BenchOptions['note'];
}

async function* streams(setting: Setting): AsyncGenerator<Figure, void> {
  for (const [doc, what, aim] of aims) {
    const floor = await middle(setting, 'floor', doc);
    const ours = await middle(setting, 'pa', doc);
    yield {
      what: `${what}, 2,000 pieces: main thread, over plain text (${millis(floor.cpu)})`,
      measured: `${(ours.cpu / floor.cpu).toFixed(2)} times (${millis(ours.cpu)})`,
      aim: `${aim} times`,
    };
    yield {
      what: `${what}: longest task`,
      measured: ours.longest === 0 ? 'under 50 ms' : millis(ours.longest),
      aim: doc === 'mixed' ? '50 ms' : '',
    };
  }
  for (const who of ['deep&partial', 'deep'] as const) {
    setting.note(`chat: ${who}`);
    const { cpu } = await measureStream(setting.browser, setting.origin, who, 'mixed');
    const how = who === 'deep' ? 'as it comes' : 'with partialRender';
    yield { what: `the same mixed Markdown in deep-chat 2.4.2, ${how}`, measured: millis(cpu), aim: '' };
  }
}

async function middle({ browser, origin, note }: Setting, who: Contestant, doc: DocumentName): Promise<Work> {
  note(`chat: ${who}, ${doc}`);
  const all: Work[] = [];
  for (let run = 0; run < runs; run++) all.push(await measureStream(browser, origin, who, doc));
  return all.toSorted((a, b) => a.cpu - b.cpu)[Math.floor(runs / 2)] ?? { cpu: 0, wall: 0, longest: 0 };
}

async function* threads({ browser, origin, note }: Setting): AsyncGenerator<Figure, void> {
  note('chat: a long thread');
  const messages = longThread().flatMap(({ role, content }) =>
    content === undefined ? [] : [{ role: role === 'user' ? 'user' : 'ai', text: content }],
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push((await measureHistory(browser, origin, 'pa', [])).wall);
    theirs.push((await measureHistory(browser, origin, 'deep', messages)).wall);
  }
  const [our, their] = [median(ours), median(theirs)];
  yield {
    what: `a thread of ${threadLength} messages until it shows, network included, over deep-chat 2.4.2 without (${millis(their)})`,
    measured: `${(our / their).toFixed(2)} times (${millis(our)})`,
    aim: '0.2 times',
  };
  const { slowestKey, idle } = await measureAtRest(browser, origin);
  yield { what: 'a key in that thread until it shows, the slowest of 60', measured: millis(slowestKey), aim: '16 ms' };
  yield { what: 'timers, frame callbacks and animations in 3 s of rest', measured: String(idle), aim: '0' };
}

const questions = [
  'How many flights were there?',
  'Flights by month',
  'Top 5 destinations by average delay',
  'On-time share by day of week',
  'Average delay in March 2001',
  'Longest delay by destination state',
];
const streamsAtOnce = 200;
const waves = 5;
const drops = 1000;
const dropsAtOnce = 40;

async function* service({ note, onStop, profileDirectory }: BenchOptions): AsyncGenerator<Figure, void> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-bench-chat-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  note('chat: starting the platform');
  const sources = await prepareSources();
  const model = join(root, 'demo', 'model');
  const platform = await startPlatform({ model, sources, data: join(folder, 'data'), profileDirectory, onStop });
  const askers: Asker[] = [];
  for (let user = 0; user < streamsAtOnce; user++) {
    const airport = ['ORD', 'DFW', 'ATL', 'LAX'][user % 4] ?? 'ORD';
    const token = await platform.mintEmbedToken(airport, `bench-${user}`);
    askers.push({ url: `${platform.url}/api/v1/public/local/agents/1`, token });
  }
  yield* crowd(platform, askers, note);
  yield* dropped(askers, note);
  await platform.stop();
}

async function* crowd(
  platform: RunningPlatform,
  askers: readonly Asker[],
  note: BenchOptions['note'],
): AsyncGenerator<Figure, void> {
  const medians: number[] = [];
  const memory: number[] = [];
  let failed = 0;
  for (let wave = 0; wave < waves; wave++) {
    note(`chat: ${streamsAtOnce} streams at once, ${wave + 1} of ${waves}`);
    const all = await Promise.all(
      askers.map((asker, index) =>
        readStream(asker, { input: questions[(index + wave) % questions.length] ?? '', messageId: messageIdOf(wave) }),
      ),
    );
    failed += all.filter(({ events }) => !isWhole(events.map(({ frame }) => frame))).length;
    medians.push(median(all.map(({ firstMs }) => firstMs)));
    memory.push(memoryOf(platform.pid) ?? Number.NaN);
  }
  yield {
    what: `${streamsAtOnce} streams at once, the built-in analyst: first frame, median (worst of ${waves} waves)`,
    measured: millis(Math.max(...medians)),
    aim: '200 ms',
  };
  yield { what: 'answers of these that were not whole', measured: `${failed} of ${streamsAtOnce * waves}`, aim: '0' };
  yield {
    what: 'memory of the platform after each wave',
    measured: `${memory.map(megabytes => Math.round(megabytes)).join(', ')} MB`,
    aim: 'flat',
  };
}

async function* dropped(askers: readonly Asker[], note: BenchOptions['note']): AsyncGenerator<Figure, void> {
  note(`chat: ${drops} dropped connections`);
  let wrong = 0;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < drops; index = next++) {
      const asker = askers[index % askers.length];
      if (asker && !(await survivesDrop(asker, index))) wrong += 1;
    }
  };
  await Promise.all(Array.from({ length: dropsAtOnce }, worker));
  yield {
    what: `${drops} connections dropped and resumed: answers with a frame lost or doubled`,
    measured: String(wrong),
    aim: '0',
  };
}

/** Drops a stream somewhere, comes back with the id of the last event, and looks whether every event came once. */
async function survivesDrop(asker: Asker, index: number): Promise<boolean> {
  const messageId = messageIdOf(1000 + index);
  const input = questions[index % questions.length] ?? '';
  const first = await readStream(asker, { input, messageId, dropAfter: 1 + (index % 25) });
  const chatId = chatIdOf(first.events[0]?.frame);
  const lastEventId = first.events.findLast(({ id }) => id !== null)?.id;
  const again = await readStream(asker, {
    messageId,
    ...(chatId === undefined ? {} : { chatId }),
    ...(lastEventId == null ? {} : { lastEventId }),
  });
  const ids = [...(lastEventId == null ? [] : first.events), ...again.events].flatMap(({ id }) =>
    id === null ? [] : [id],
  );
  const numbers = ids.map(id => Number(id.split(':').at(-1)));
  const inOrder = numbers.every((number, place) => place === 0 || number === (numbers[place - 1] ?? 0) + 1);
  return inOrder && numbers.length > 2 && isWhole(again.events.map(({ frame }) => frame));
}

const begun = Date.now();

function messageIdOf(number: number): string {
  return `${begun + number}-message`;
}

function chatIdOf(frame: string | undefined): string | undefined {
  const read: unknown = frame === undefined ? null : JSON.parse(frame);
  const id: unknown = Object(Object(read).state).chatId;
  return typeof id === 'string' ? id : undefined;
}

function isWhole(frames: readonly string[]): boolean {
  return (
    frames.some(frame => frame.includes('"finishReason":"stop"')) && (frames.at(-1)?.includes('__usage__') ?? false)
  );
}
