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

/** Costs of one round of a candidate, for each kind of interaction. */
interface Round {
  readonly all: Work;
  readonly some: Work;
  readonly change: Work;
}

type Interaction = keyof Round;

async function* shown({ browser, origin, note }: Setting): AsyncGenerator<Figure, void> {
  const candidates: readonly Candidate[] = ['pa', 'vega-embed', 'vega-embed, compiled'];
  const visitors = new Map<Candidate, Visitor>();
  for (const who of candidates) visitors.set(who, await Visitor.open(browser, origin, who));
  const rounds = new Map<Candidate, Round[]>(candidates.map(who => [who, []]));
  // The first round fills the caches of browser and platform. Candidates alternate, so that load on the machine
  // affects both.
  for (let run = 0; run <= runs; run++) {
    note(`dashboard: round ${run} of ${runs}`);
    for (const [who, visitor] of visitors) {
      const round = await roundOf(visitor);
      if (run > 0) rounds.get(who)?.push(round);
    }
  }
  const ours = rounds.get('pa') ?? [];
  for (const who of candidates.slice(1)) yield* compared(ours, rounds.get(who) ?? [], who);
  for (const visitor of visitors.values()) await visitor.close();
}

async function roundOf(visitor: Visitor): Promise<Round> {
  const some = await visitor.show('some');
  await some.page.close();
  const { page, work } = await visitor.show('all');
  const change = await visitor.filter(page, filtered);
  await visitor.filter(page, { ...filtered, value: null });
  await page.close();
  return { all: work, some: some.work, change };
}

const interactions: readonly (readonly [kind: Interaction, what: string])[] = [
  ['all', '24 tiles in view'],
  ['some', '8 of 24 tiles in view'],
  ['change', 'filter change over 24 tiles'],
];

const costs: readonly (readonly [by: 'wall' | 'cpu' | 'tasks', what: string])[] = [
  ['wall', 'last tile in view'],
  ['cpu', 'CPU time of the main thread until idle'],
  ['tasks', 'task time of the main thread until idle, including waits for a core'],
];

/** Targets of the ratios to vega-embed. Task time has none, because it depends on the load of the machine. */
const ratioAims: Readonly<Record<Interaction, Readonly<Partial<Record<keyof Work, string>>>>> = {
  all: { wall: '0.95', cpu: '0.75' },
  some: { wall: '0.5', cpu: '0.4' },
  change: { wall: '0.5', cpu: '0.4' },
};

function* compared(ours: readonly Round[], theirs: readonly Round[], who: Candidate): Generator<Figure, void> {
  const isAim = who === 'vega-embed';
  for (const [kind, what] of interactions) {
    for (const [by, cost] of costs) {
      const own = ours.map(round => round[kind][by]);
      const other = theirs.map(round => round[kind][by]);
      const aim = isAim ? ratioAims[kind][by] : undefined;
      yield {
        what: `${what}: ${cost}, compared with ${who} (${withSpread(other)})`,
        measured: `${(median(own) / median(other)).toFixed(2)} times (${withSpread(own)})`,
        aim: aim === undefined ? '' : `${aim} times`,
      };
    }
  }
  if (!isAim) return;
  yield { what: '8 of 24 tiles in view: longest task', measured: maxTaskOf(ours, 'some'), aim: '50 ms' };
  yield { what: '24 tiles in view: longest task', measured: maxTaskOf(ours, 'all'), aim: '' };
}

/** Formats the median, the minimum and the maximum of times. */
function withSpread(times: readonly number[]): string {
  return `${millis(median(times))}, ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`;
}

function maxTaskOf(rounds: readonly Round[], kind: Interaction): string {
  const task = median(rounds.map(round => round[kind].maxTaskMs));
  return task === 0 ? 'under 50 ms' : millis(task);
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
