import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { type Board, boards } from './content.js';

/** Renderer of the charts: this package, or vega-embed from authored or compiled specifications. */
export type Candidate = 'pa' | 'vega-embed' | 'vega-embed, compiled';

/** The cost of an interaction with the page. */
export interface Work {
  /** Time until the last visible tile was painted, in ms. */
  readonly wall: number;
  /**
   * Duration of the main thread's tasks until the page was idle, in ms. Includes the time in which a task waited for a
   * core, so it depends on the load of the machine.
   */
  readonly tasks: number;
  /** CPU time that the main thread used for these tasks, in ms. */
  readonly cpu: number;
  /** Time of the longest task, in ms; 0 if none took 50 ms. */
  readonly maxTaskMs: number;
}

/** Resources of a page that displays nothing. */
export interface Remains {
  readonly heap: number;
  readonly listeners: number;
  readonly nodes: number;
  /** Number of pending timers, active observers and live canvas contexts. */
  readonly timers: number;
  readonly observers: number;
  readonly contexts: number;
}

interface Filtered {
  readonly member: string;
  readonly value: string | null;
}

interface PageApi {
  readonly shown: Promise<number>;
  countInView(): number;
  filter(filtered: Filtered): Promise<number>;
  mountAndRemove(board: Board): Promise<void>;
  chart(kind: 'line' | 'points', count: number): Promise<number>;
  scroll(count: number): Promise<number[]>;
}

interface BenchWindow {
  readonly candidate: PageApi;
  /** Resolves when the script of the page has set `candidate`. */
  readonly candidateReady: Promise<void>;
  maxTaskMs: number;
  readonly live: { timers: number; observers: number; contexts: WeakRef<object>[] };
}

const size = { width: 1440, height: 900 };
const restMs = 700;
/** Maximum time of an interaction, in ms. */
const maxWaitMs = 120_000;
/**
 * Wait time for the processes that a browser starts for a new window, in ms. Their cost must not be attributed to the
 * page.
 */
const windowMs = 1_500;

/** The pages of one candidate in a browser. They share its cache. */
export class Visitor {
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #who: Candidate;

  private constructor(context: BrowserContext, origin: string, who: Candidate) {
    this.#context = context;
    this.#origin = origin;
    this.#who = who;
  }

  static async open(browser: Browser, origin: string, who: Candidate): Promise<Visitor> {
    const context = await browser.newContext({ viewport: size });
    // tsx wraps named functions in a helper that is not defined in the page.
    await context.addInitScript('globalThis.__name = value => value');
    await context.addInitScript(countLive);
    return new Visitor(context, origin, who);
  }

  /** Shows a dashboard in a new page. */
  async show(board: Board): Promise<{ readonly page: Page; readonly work: Work }> {
    const page = await this.#context.newPage();
    await page.waitForTimeout(windowMs);
    const clocks = await clocksOf(page);
    const before = await clocks.read();
    await page.goto(this.#address(board), { waitUntil: 'commit' });
    const wall = await clocks.run('candidateReady.then(candidate => candidate.shown)');
    const work = await workOf(page, clocks, { before, wall });
    if (this.#who === 'pa') await checkInView(page, board);
    return { page, work };
  }

  /** Filters the dashboard of a page. */
  async filter(page: Page, filtered: Filtered): Promise<Work> {
    const clocks = await clocksOf(page);
    const before = await clocks.read();
    const wall = await clocks.run(`candidate.filter(${JSON.stringify(filtered)})`);
    return workOf(page, clocks, { before, wall });
  }

  /** Opens an empty page. */
  async blank(): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(`${this.#origin}/index.html`);
    await page.evaluate(async () => void (await (globalThis as unknown as BenchWindow).candidateReady));
    return page;
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  #address(board: Board): string {
    if (this.#who === 'pa') return `${this.#origin}/index.html?board=${board}`;
    return `${this.#origin}/peer.html?board=${board}${this.#who === 'vega-embed' ? '' : '&compiled'}`;
  }
}

/** Returns the time until a chart with `count` rows is painted, in ms. */
export function drawChart(page: Page, kind: 'line' | 'points', count: number): Promise<number> {
  return page.evaluate(([name, rows]) => (globalThis as unknown as BenchWindow).candidate.chart(name, rows), [
    kind,
    count,
  ] as const);
}

/** Returns the frame times of scrolling through a table, in ms. */
export function scrollTable(page: Page, rows: number): Promise<number[]> {
  return page.evaluate(count => (globalThis as unknown as BenchWindow).candidate.scroll(count), rows);
}

/** Adds and removes a dashboard `times` times, then returns the remaining resources. */
export async function mountAndRemove(page: Page, board: Board, times: number): Promise<Remains> {
  await page.evaluate(
    async ([name, count]) => {
      for (let time = 0; time < count; time++) {
        await (globalThis as unknown as BenchWindow).candidate.mountAndRemove(name);
      }
    },
    [board, times] as const,
  );
  await page.waitForTimeout(2_000);
  const session = await metricsOf(page, 'timeTicks');
  for (let pass = 0; pass < 3; pass++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find(entry => entry.name === name)?.value ?? Number.NaN;
  const live = await page.evaluate(() => {
    const { timers, observers, contexts } = (globalThis as unknown as BenchWindow).live;
    return { timers, observers, contexts: contexts.filter(context => context.deref()).length };
  });
  return {
    heap: metric('JSHeapUsedSize'),
    listeners: metric('JSEventListeners'),
    nodes: metric('Nodes'),
    ...live,
  };
}

/** Task durations of a page since it was opened, in ms. */
type TaskTimes = Pick<Work, 'tasks' | 'cpu'>;

/** Measures a page during an interaction. */
interface Clocks {
  read(): Promise<TaskTimes>;
  /**
   * Evaluates an expression in the page and returns the number that it resolves to. `page.evaluate` would inject 330 kB
   * of script first, which takes 40 ms of CPU time in one task and would count for the page.
   */
  run(expression: string): Promise<number>;
}

/** Reads the task durations of a page. Each session counts in one time domain. */
async function clocksOf(page: Page): Promise<Clocks> {
  const ticks = await metricsOf(page, 'timeTicks');
  const thread = await metricsOf(page, 'threadTicks');
  return {
    read: async () => ({ tasks: await taskMsOf(ticks), cpu: await taskMsOf(thread) }),
    run: async expression => {
      const given = { expression, awaitPromise: true, returnByValue: true };
      const evaluated = await Promise.race([thread.send('Runtime.evaluate', given), rejectAfter(page, maxWaitMs)]);
      const { result, exceptionDetails } = evaluated;
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return Number(result.value);
    },
  };
}

/** Rejects after this time, or when the page is closed. */
async function rejectAfter(page: Page, ms: number): Promise<never> {
  await page.waitForTimeout(ms);
  throw new Error(`The page did not respond within ${ms / 1000} s.`);
}

async function metricsOf(page: Page, timeDomain: 'timeTicks' | 'threadTicks'): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain });
  return session;
}

async function taskMsOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/**
 * Verifies after a measurement that the page waited for the tiles in view. During a measurement, reading positions
 * would force layouts that count for the page.
 */
async function checkInView(page: Page, board: Board): Promise<void> {
  const count = await page.evaluate(() => (globalThis as unknown as BenchWindow).candidate.countInView());
  if (count !== boards[board].inView) {
    throw new Error(`The dashboard "${board}" has ${count} tiles in view instead of ${boards[board].inView}.`);
  }
}

async function workOf(
  page: Page,
  clocks: Clocks,
  { before, wall }: { readonly before: TaskTimes; readonly wall: number },
): Promise<Work> {
  await page.waitForTimeout(restMs);
  const { tasks, cpu } = await clocks.read();
  const maxTaskMs = await clocks.run('takeMaxTask()');
  return { wall, tasks: tasks - before.tasks, cpu: cpu - before.cpu, maxTaskMs };
}

/** Init script of the page: counts live resources and records the longest task. */
function countLive(): void {
  const live = { timers: 0, observers: 0, contexts: [] as WeakRef<object>[] };
  const takeMaxTask = (): number => {
    const bench = globalThis as unknown as BenchWindow;
    const task = bench.maxTaskMs;
    bench.maxTaskMs = 0;
    return task;
  };
  const candidateReady = new Promise(resolve => {
    // The script of the page sets `candidate` once.
    Object.defineProperty(globalThis, 'candidate', {
      configurable: true,
      set: (value: unknown) => {
        Object.defineProperty(globalThis, 'candidate', { value });
        resolve(value);
      },
    });
  });
  Object.assign(globalThis, { live, maxTaskMs: 0, takeMaxTask, candidateReady });
  new PerformanceObserver(list => {
    const bench = globalThis as unknown as BenchWindow;
    for (const { duration } of list.getEntries()) bench.maxTaskMs = Math.max(bench.maxTaskMs, duration);
  }).observe({ type: 'longtask' });
  const waiting = new Set<number>();
  const { setTimeout: later, clearTimeout: cancel } = globalThis;
  Object.assign(globalThis, {
    setTimeout: (run: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) => {
      const id: number = Number(
        later(() => {
          waiting.delete(id);
          live.timers = waiting.size;
          run(...args);
        }, delay),
      );
      waiting.add(id);
      live.timers = waiting.size;
      return id;
    },
    clearTimeout: (id: number) => {
      waiting.delete(id);
      live.timers = waiting.size;
      cancel(id);
    },
  });
  for (const Observer of [ResizeObserver, IntersectionObserver, MutationObserver]) {
    const { observe, disconnect } = Observer.prototype as unknown as Record<'observe' | 'disconnect', () => void>;
    const observing = new WeakSet<object>();
    Object.assign(Observer.prototype, {
      observe(this: object, ...args: []) {
        if (!observing.has(this)) live.observers += 1;
        observing.add(this);
        return observe.apply(this, args);
      },
      disconnect(this: object) {
        if (observing.delete(this)) live.observers -= 1;
        return disconnect.apply(this);
      },
    });
  }
  const { getContext } = HTMLCanvasElement.prototype;
  Object.assign(HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, ...args: Parameters<typeof getContext>) {
      const context = getContext.apply(this, args);
      if (context) live.contexts.push(new WeakRef(context));
      return context;
    },
  });
}
