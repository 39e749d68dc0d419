import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/page.js';
import { type Bench, type BenchOptions, type Figure, median, millis } from '../figures.js';
import { type Board, filtered } from './content.js';
import { startBenchHost } from './host.js';
import { type Candidate, drawChart, mountAndRemove, type Remains, scrollTable, Visitor, type Work } from './measure.js';

const runs = 5;
const rows = 100_000;

interface Setting {
  readonly browser: Browser;
  readonly origin: string;
  readonly note: BenchOptions['note'];
}

/** Compares dashboards of 24 tiles with vega-embed; measures large charts, tables and memory leaks. */
export const dashboardFigures: Bench = async function* (options) {
  const host = await startBenchHost(options);
  const browser = await launchBrowser();
  options.onStop(() => browser.close());
  const setting = { browser, origin: host.origin, note: options.note };
  yield* shown(setting);
  yield* largeReports(setting);
  yield* remains(setting);
  await browser.close();
  await host.stop();
};

/** Median costs of one candidate for one kind of interaction. */
interface Taken {
  readonly all: Work;
  readonly some: Work;
  readonly change: Work;
}

async function* shown({ browser, origin, note }: Setting): AsyncGenerator<Figure, void> {
  const candidates: readonly Candidate[] = ['pa', 'vega-embed', 'vega-embed, compiled'];
  const visitors = new Map<Candidate, Visitor>();
  for (const who of candidates) visitors.set(who, await Visitor.open(browser, origin, who));
  const works = new Map<Candidate, { all: Work[]; some: Work[]; change: Work[] }>(
    candidates.map(who => [who, { all: [], some: [], change: [] }]),
  );
  // The first round fills the caches of browser and platform. Candidates alternate, so that load on the machine
  // affects both.
  for (let run = 0; run <= runs; run++) {
    note(`dashboard: round ${run} of ${runs}`);
    for (const [who, visitor] of visitors) {
      const work = await roundOf(visitor);
      if (run > 0) for (const kind of ['all', 'some', 'change'] as const) works.get(who)?.[kind].push(work[kind]);
    }
  }
  const taken = new Map(
    [...works].map(([who, { all, some, change }]) => [
      who,
      { all: middle(all), some: middle(some), change: middle(change) },
    ]),
  );
  const ours = taken.get('pa');
  for (const who of candidates.slice(1)) {
    const theirs = taken.get(who);
    if (ours && theirs) yield* compared(ours, theirs, who);
  }
  for (const visitor of visitors.values()) await visitor.close();
}

async function roundOf(visitor: Visitor): Promise<Taken> {
  const some = await visitor.show('some');
  await some.page.close();
  const { page, work } = await visitor.show('all');
  const change = await visitor.filter(page, filtered);
  await visitor.filter(page, { ...filtered, value: null });
  await page.close();
  return { all: work, some: some.work, change };
}

function* compared(ours: Taken, theirs: Taken, who: Candidate): Generator<Figure, void> {
  const isAim = who === 'vega-embed';
  const lines: readonly (readonly [string, keyof Taken, 'wall' | 'cpu', string])[] = [
    ['24 tiles in view: last tile', 'all', 'wall', '1.0'],
    ['24 tiles in view: main thread', 'all', 'cpu', '0.9'],
    ['8 of 24 tiles in view: last tile in view', 'some', 'wall', '0.5'],
    ['8 of 24 tiles in view: main thread until idle', 'some', 'cpu', '0.5'],
    ['filter change over 24 tiles: last tile', 'change', 'wall', '0.5'],
    ['filter change over 24 tiles: main thread', 'change', 'cpu', '0.5'],
  ];
  for (const [what, kind, by, aim] of lines) {
    yield {
      what: `${what}, compared with ${who} (${millis(theirs[kind][by])})`,
      measured: `${(ours[kind][by] / theirs[kind][by]).toFixed(2)} times (${millis(ours[kind][by])})`,
      aim: isAim ? `${aim} times` : '',
    };
  }
  if (!isAim) return;
  yield { what: '8 of 24 tiles in view: longest task', measured: taskTime(ours.some), aim: '100 ms' };
  yield { what: '24 tiles in view: longest task', measured: taskTime(ours.all), aim: '' };
}

function taskTime({ maxTaskMs: task }: Work): string {
  return task === 0 ? 'under 50 ms' : millis(task);
}

function middle(works: readonly Work[]): Work {
  const of = (key: keyof Work): number => median(works.map(work => work[key]));
  return { wall: of('wall'), cpu: of('cpu'), maxTaskMs: of('maxTaskMs') };
}

async function* largeReports({ browser, origin, note }: Setting): AsyncGenerator<Figure, void> {
  note('dashboard: large charts and a large table');
  const visitor = await Visitor.open(browser, origin, 'pa');
  const page = await visitor.blank();
  for (const [kind, what, aim] of [
    ['line', 'a line of 100,000 points', '100 ms'],
    ['points', '100,000 points', '250 ms'],
  ] as const) {
    const empty = await chartTime(page, kind, 2);
    const full = await chartTime(page, kind, rows);
    yield {
      what: `${what}, compared with a chart with two rows (${millis(empty)})`,
      measured: `+${millis(full - empty)}`,
      aim,
    };
  }
  await scrollTable(page, 1_000);
  const frames = await scrollTable(page, rows);
  yield {
    what: 'scrolling through a table of 100,000 rows: slowest frame of 120',
    measured: millis(Math.max(...frames)),
    aim: '50 ms',
  };
  await visitor.close();
}

async function chartTime(page: Page, kind: 'line' | 'points', count: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const time = await drawChart(page, kind, count);
    if (run > 0) times.push(time);
  }
  return median(times);
}

/**
 * Disables the optimizing compilers. V8 counts compiled code as heap and compiles more code for about 70 rounds, which
 * would hide leaked objects.
 */
const interpreting = '--js-flags=--no-opt,--no-maglev,--no-sparkplug';

async function* remains({ browser, origin, note }: Setting): AsyncGenerator<Figure, void> {
  note('dashboard: adding and removing 110 times');
  const { before, after } = await remainsIn(browser, origin);
  note('dashboard: the same without compiled code');
  const interpreter = await launchBrowser([interpreting]);
  try {
    yield growthOf(await remainsIn(interpreter, origin), 'heap without compiled code', '+2 %');
  } finally {
    await interpreter.close();
  }
  yield growthOf({ before, after }, 'heap including code compiled by V8', '+2 %');
  const counts = ['listeners', 'timers', 'observers', 'contexts'] as const;
  yield {
    what: 'listeners, timers, observers, canvas contexts before and after',
    measured: counts.map(name => `${before[name]} → ${after[name]}`).join(', '),
    aim: 'equal',
  };
}

/** Resources that remain after ten rounds, and after a hundred more. */
interface Left {
  readonly before: Remains;
  readonly after: Remains;
}

async function remainsIn(browser: Browser, origin: string): Promise<Left> {
  const visitor = await Visitor.open(browser, origin, 'pa');
  const page = await visitor.blank();
  const board: Board = 'all';
  const left = { before: await mountAndRemove(page, board, 10), after: await mountAndRemove(page, board, 100) };
  await visitor.close();
  return left;
}

function growthOf({ before, after }: Left, what: string, aim: string): Figure {
  const growth = (after.heap / before.heap - 1) * 100;
  return {
    what: `${what}, after adding and removing 24 tiles 100 more times (${(before.heap / 1e6).toFixed(1)} MB)`,
    measured: `${growth >= 0 ? '+' : ''}${growth.toFixed(1)} %`,
    aim,
  };
}
