import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { DrivenBrowser, Json, Key, Place } from './driven-browser.js';

/** Starts headless Firefox and controls it through WebDriver BiDi. */
export async function launchFirefox(executablePath: string): Promise<DrivenBrowser> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, defaultViewport: null });
  const page = await browser.newPage();
  return new FirefoxBrowser(browser, page, await browser.version());
}

class FirefoxBrowser implements DrivenBrowser {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly version: string;

  constructor(browser: Browser, page: Page, version: string) {
    this.#browser = browser;
    this.#page = page;
    this.version = version;
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  run<T>(source: string, ...args: Json[]): Promise<T> {
    return this.#page.evaluate(`(${source})(...${JSON.stringify(args)})`) as Promise<T>;
  }

  resize(width: number, height: number): Promise<void> {
    return this.#page.setViewport({ width, height });
  }

  point({ x, y }: Place): Promise<void> {
    return this.#page.mouse.move(x, y);
  }

  click({ x, y }: Place): Promise<void> {
    return this.#page.mouse.click(x, y);
  }

  async drag(from: Place, to: Place): Promise<void> {
    const { mouse } = this.#page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 2 });
    await mouse.up();
  }

  press(key: Key): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#page.screenshot({ type: 'png' }));
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
