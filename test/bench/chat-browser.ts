import type { Browser, CDPSession, Page } from 'playwright-core';
import type { DocumentName } from './chat-corpus.js';

/** Renderer of the chat: this package, its peer (default or with its faster rendering), or plain text. */
export type Candidate = 'pa' | 'deep' | 'deep&partial' | 'floor';

/** A message of a displayed thread. */
export interface Message {
  readonly role: 'user' | 'ai';
  readonly text: string;
}

/** The cost of an interaction with the page. */
export interface Work {
  /** Task time of the main thread, in ms. */
  readonly cpu: number;
  /** Elapsed time, in ms. */
  readonly wall: number;
  /** Time of the longest task, in ms; 0 if none took 50 ms. */
  readonly maxTaskMs: number;
}

declare global {
  /** The functions of `chat-page/page.js`. */
  var candidate: Promise<{
    send(): Promise<void>;
    /** Shows a short thread, so that all modules are loaded. */
    warm(messages: readonly Message[]): Promise<void>;
    history(messages: readonly Message[]): Promise<void>;
  }>;
  /** Time of the last key press, in ms. */
  var keyTook: Promise<number>;
  /** Time of the longest task so far, in ms. */
  var maxTaskMs: number;
  /** Number of timers and frame callbacks requested so far. */
  var requestedCallbacks: number;
}

/** Opens a page with one candidate and waits until it is ready. */
async function open(browser: Browser, origin: string, who: Candidate, doc: DocumentName): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
  // tsx wraps named functions in a helper that is not defined in the page.
  await page.addInitScript('globalThis.__name = value => value');
  await page.addInitScript(() => {
    globalThis.maxTaskMs = 0;
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) globalThis.maxTaskMs = Math.max(globalThis.maxTaskMs, duration);
    }).observe({ type: 'longtask' });
    globalThis.requestedCallbacks = 0;
    for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback'] as const) {
      const real = globalThis[name].bind(globalThis);
      Object.assign(globalThis, {
        [name]: (...rest: Parameters<typeof real>) => {
          globalThis.requestedCallbacks += 1;
          return (real as (...all: unknown[]) => unknown)(...rest);
        },
      });
    }
  });
  await page.goto(`${origin}/index.html?who=${who}&doc=${doc}`);
  await page.evaluate(() => globalThis.candidate.then(() => undefined));
  await rest(page);
  await page.evaluate(() => {
    globalThis.maxTaskMs = 0;
  });
  return page;
}

/** Waits until the page is idle. */
function rest(page: Page): Promise<void> {
  return page.waitForTimeout(500);
}

async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** Measures an interaction with a page until the page is idle. */
async function measure(page: Page, work: () => Promise<unknown>): Promise<Work> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const before = await cpuOf(session);
  const begin = performance.now();
  await work();
  const wall = performance.now() - begin;
  await rest(page);
  const cpu = (await cpuOf(session)) - before;
  return { cpu, wall, maxTaskMs: await page.evaluate(() => globalThis.maxTaskMs) };
}

/** Streams a document into a candidate. */
export async function measureStream(
  browser: Browser,
  origin: string,
  who: Candidate,
  doc: DocumentName,
): Promise<Work> {
  const page = await open(browser, origin, who, doc);
  try {
    return await measure(page, () => page.evaluate(async () => (await globalThis.candidate).send()));
  } finally {
    await page.close();
  }
}

/** Shows a long thread after a short one. `wall` is the time until its end is painted. */
export async function measureHistory(
  browser: Browser,
  origin: string,
  who: Candidate,
  messages: readonly Message[],
): Promise<Work> {
  const page = await open(browser, origin, who, 'mixed');
  try {
    await page.evaluate(async thread => (await globalThis.candidate).warm(thread), messages.slice(0, 4));
    await rest(page);
    let shown = 0;
    const work = await measure(page, async () => {
      shown = await page.evaluate(async thread => {
        const chat = await globalThis.candidate;
        const begin = performance.now();
        await chat.history(thread);
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        return performance.now() - begin;
      }, messages);
    });
    return { ...work, wall: shown };
  } finally {
    await page.close();
  }
}

/** Key latency of a chat with a long thread, and its activity when idle. */
export interface AtRest {
  /** Time of each of 60 key presses: from `keydown` to the end of `input`, plus layout and paint, in ms. */
  readonly keys: readonly number[];
  /** The same times for a text area on an empty page, in ms. They are the baseline of the browser. */
  readonly plainKeys: readonly number[];
  /** Number of timers, frame callbacks and running animations in three idle seconds. */
  readonly idle: number;
}

/** Types into the composer of a long thread, then measures the idle page. */
export async function measureAtRest(browser: Browser, origin: string, messages: readonly Message[]): Promise<AtRest> {
  const page = await open(browser, origin, 'pa', 'mixed');
  try {
    await page.evaluate(async thread => {
      const chat = await globalThis.candidate;
      await chat.warm(thread.slice(0, 4));
      await chat.history(thread);
      document.querySelector<HTMLElement>('pa-chat')?.focus();
    }, messages);
    await rest(page);
    const keys = await pressKeys(page);
    await rest(page);
    const before = await page.evaluate(() => globalThis.requestedCallbacks);
    await page.waitForTimeout(3000);
    const idle = await page.evaluate(() => globalThis.requestedCallbacks + document.getAnimations().length);
    return { keys, plainKeys: await pressPlainKeys(page), idle: idle - before };
  } finally {
    await page.close();
  }
}

async function pressPlainKeys(page: Page): Promise<readonly number[]> {
  await page.evaluate(() => {
    const input = document.createElement('textarea');
    document.body.replaceChildren(input);
    input.focus();
  });
  await rest(page);
  return pressKeys(page);
}

async function pressKeys(page: Page): Promise<readonly number[]> {
  const keys: number[] = [];
  for (let key = 0; key < 60; key++) keys.push(await pressKey(page));
  return keys;
}

/**
 * Presses a key. Does not count the wait between the end of `input` and the next frame. Browsers delay all other tasks
 * until that frame, so a task after `input` would measure the frame rate.
 */
async function pressKey(page: Page): Promise<number> {
  await page.evaluate(() => {
    let pressed = 0;
    addEventListener('keydown', () => (pressed = performance.now()), { capture: true, once: true });
    globalThis.keyTook = new Promise(resolve => {
      const handle = (): void => {
        // This listener runs after all others. By then, the elements have rendered in microtasks between the listeners.
        const handled = performance.now() - pressed;
        requestAnimationFrame(() => {
          const frame = performance.now();
          const { port1, port2 } = new MessageChannel();
          // Runs after layout and paint of this frame.
          port1.onmessage = () => resolve(handled + performance.now() - frame);
          port2.postMessage(null);
        });
      };
      addEventListener('input', handle, { once: true });
    });
  });
  await page.keyboard.press('e');
  return page.evaluate(() => globalThis.keyTook);
}
