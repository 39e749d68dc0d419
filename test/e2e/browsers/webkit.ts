import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import type { DrivenBrowser, Json, Key, Place } from './driven-browser.js';

/** Paths of the programs for headless WebKitGTK. */
export interface WebKitPrograms {
  /** `WebKitWebDriver`. */
  readonly driver: string;
  /** `MiniBrowser`. */
  readonly browser: string;
  /** `Xvfb`. */
  readonly display: string;
}

/** WebDriver code points of keys. */
const keyCodes: Readonly<Record<Key, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

/** Starts WebKitGTK’s MiniBrowser on a separate display, and controls it through W3C WebDriver. */
export async function launchWebKit(programs: WebKitPrograms): Promise<DrivenBrowser> {
  const screen = spawn(programs.display, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: `:${await displayOf(screen)}`,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const driver = spawn(programs.driver, [`--port=${port}`], { stdio: 'ignore', env });
  const stop = async (): Promise<void> => {
    await endProcess(driver);
    await endProcess(screen);
  };
  try {
    const session = new WebDriverSession(`http://127.0.0.1:${port}`);
    await session.start(programs.browser);
    return new WebKitBrowser(session, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function displayOf(screen: ChildProcess): Promise<string> {
  const output = screen.stdio[3];
  if (!(output instanceof Readable)) throw new Error('Xvfb has no pipe for its display number.');
  const [line] = await Promise.race([once(createInterface(output), 'line'), once(screen, 'exit').then(() => [null])]);
  if (typeof line !== 'string') throw new Error('Xvfb did not start.');
  return line.trim();
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** W3C WebDriver commands in one session. */
class WebDriverSession {
  readonly #service: string;
  #path = '';
  version = '';

  constructor(service: string) {
    this.#service = service;
  }

  async start(browser: string): Promise<void> {
    await this.#untilReady();
    const capabilities = {
      alwaysMatch: {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      },
    };
    const value = await this.#request('POST', '/session', { capabilities });
    const { sessionId, capabilities: found } = value as {
      sessionId: string;
      capabilities: { browserVersion: string };
    };
    this.#path = `/session/${sessionId}`;
    this.version = `WebKitGTK ${found.browserVersion}`;
    await this.send('POST', '/timeouts', { script: 60_000, pageLoad: 120_000 });
  }

  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    return this.#request(method, `${this.#path}${path}`, body);
  }

  async #untilReady(): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const isReady = await this.#request('GET', '/status').then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await delay(100);
    }
    throw new Error('WebKitWebDriver did not start.');
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#service}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }
}

class WebKitBrowser implements DrivenBrowser {
  readonly #session: WebDriverSession;
  readonly #stop: () => Promise<void>;

  constructor(session: WebDriverSession, stop: () => Promise<void>) {
    this.#session = session;
    this.#stop = stop;
  }

  get version(): string {
    return this.#session.version;
  }

  async open(url: string): Promise<void> {
    await this.#session.send('POST', '/url', { url });
  }

  async run<T>(source: string, ...args: Json[]): Promise<T> {
    const script = `const done = arguments[arguments.length - 1];
      const args = [...arguments].slice(0, -1);
      Promise.resolve().then(() => (${source})(...args)).then(
        value => done({ value: value === undefined ? null : value }),
        error => done({ error: String(error) }),
      );`;
    const result = (await this.#session.send('POST', '/execute/async', { script, args })) as
      | { value: T }
      | { error: string };
    if ('error' in result) throw new Error(result.error);
    return result.value;
  }

  /** The window size includes the window frame. */
  async resize(width: number, height: number): Promise<void> {
    const measure = () => this.run<number[]>('() => [outerWidth - innerWidth, outerHeight - innerHeight]');
    const [frameWidth = 0, frameHeight = 0] = await measure();
    await this.#session.send('POST', '/window/rect', {
      x: 0,
      y: 0,
      width: width + frameWidth,
      height: height + frameHeight,
    });
  }

  point(at: Place): Promise<void> {
    return this.#pointer(move(at));
  }

  click(at: Place): Promise<void> {
    return this.#pointer(move(at), { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 });
  }

  drag(from: Place, to: Place): Promise<void> {
    const halfway = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    return this.#pointer(move(from), { type: 'pointerDown', button: 0 }, move(halfway), move(to), {
      type: 'pointerUp',
      button: 0,
    });
  }

  press(key: Key): Promise<void> {
    return this.#keys(keyCodes[key]);
  }

  async type(text: string): Promise<void> {
    for (const character of text) await this.#keys(character);
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.#session.send('GET', '/screenshot')) as string, 'base64');
  }

  async close(): Promise<void> {
    await this.#session.send('DELETE', '');
    await this.#stop();
  }

  async #pointer(...actions: object[]): Promise<void> {
    const parameters = { pointerType: 'mouse' };
    await this.#session.send('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters, actions }] });
  }

  async #keys(value: string): Promise<void> {
    const actions = [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ];
    await this.#session.send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }
}

const move = ({ x, y }: Place) => ({
  type: 'pointerMove',
  origin: 'viewport',
  duration: 0,
  x: Math.round(x),
  y: Math.round(y),
});
