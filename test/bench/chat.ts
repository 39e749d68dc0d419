import type { Browser } from 'playwright-core';
import { launchBrowser } from '../e2e/page.js';
import { type Candidate, measureAtRest, measureHistory, measureStream, type Work } from './chat-browser.js';
import type { DocumentName } from './chat-corpus.js';
import { longThread, startChatServer, threadLength } from './chat-server.js';
import { type Bench, type BenchOptions, type Figure, median, millis } from './figures.js';

const aims: readonly (readonly [DocumentName, string, number])[] = [
  ['mixed', '40 KB of mixed Markdown', 1.4],
  ['code', 'one fence of 39 KB', 3],
  ['table', 'one table of 39 KB', 4],
  ['list', 'one list of 39 KB', 4],
  ['paragraph', 'one paragraph of 39 KB', 2.5],
];
const runs = 3;

/** Compares the chat element with its peer and with plain text. */
export const chatPageFigures: Bench = async function* (options) {
  const server = await startChatServer();
  options.onStop(server.stop);
  const browser = await launchBrowser();
  options.onStop(() => browser.close());
  const setting = { browser, origin: server.origin, note: options.note };
  yield* streams(setting);
  yield* threads(setting);
  await browser.close();
  await server.stop();
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
      what: `${what}, 2,000 pieces: main thread, compared with plain text (${millis(floor.cpu)})`,
      measured: `${(ours.cpu / floor.cpu).toFixed(2)} times (${millis(ours.cpu)})`,
      aim: `${aim} times`,
    };
    yield {
      what: `${what}: longest task`,
      measured: ours.maxTaskMs === 0 ? 'under 50 ms' : millis(ours.maxTaskMs),
      aim: doc === 'mixed' ? '50 ms' : '',
    };
  }
  for (const who of ['deep&partial', 'deep'] as const) {
    setting.note(`chat: ${who}`);
    const { cpu } = await measureStream(setting.browser, setting.origin, who, 'mixed');
    const how = who === 'deep' ? 'default' : 'with partialRender';
    yield { what: `the same mixed Markdown in deep-chat 2.4.2, ${how}`, measured: millis(cpu), aim: '' };
  }
}

async function middle({ browser, origin, note }: Setting, who: Candidate, doc: DocumentName): Promise<Work> {
  note(`chat: ${who}, ${doc}`);
  const all: Work[] = [];
  for (let run = 0; run < runs; run++) all.push(await measureStream(browser, origin, who, doc));
  return all.toSorted((a, b) => a.cpu - b.cpu)[Math.floor(runs / 2)] ?? { cpu: 0, wall: 0, maxTaskMs: 0 };
}

async function* threads({ browser, origin, note }: Setting): AsyncGenerator<Figure, void> {
  note('chat: a long thread');
  const messages = longThread();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push((await measureHistory(browser, origin, 'pa', messages)).wall);
    theirs.push((await measureHistory(browser, origin, 'deep', messages)).wall);
  }
  const [our, their] = [median(ours), median(theirs)];
  yield {
    what: `showing a thread of ${threadLength} messages from memory, compared with deep-chat 2.4.2 (${millis(their)})`,
    measured: `${(our / their).toFixed(2)} times (${millis(our)})`,
    aim: '0.2 times',
  };
  const { keys, plainKeys, idle } = await measureAtRest(browser, origin, messages);
  yield {
    what: `key press to paint in that thread, median of 60 (slowest), with ${millis(median(plainKeys))} in a text area of an empty page`,
    measured: `${millis(median(keys))} (${millis(Math.max(...keys))})`,
    aim: '10 ms',
  };
  yield { what: 'timers, frame callbacks and animations in 3 idle seconds', measured: String(idle), aim: '0' };
}
