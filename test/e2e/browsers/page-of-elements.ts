import { eventually } from '../../eventually.js';
import type { DrivenBrowser, Json, Place } from './driven-browser.js';

/** Search criteria, across shadow roots. Only rendered elements match. */
export interface Target {
  /** Selectors separated by ` >>> `, one per shadow root, from outside to inside. */
  readonly selector: string;
  /** Text that the element contains, with collapsed white space. */
  readonly text?: string;
  /** Heading of the tile that contains the element. */
  readonly tile?: string;
}

/** Source of the functions for page scripts. */
const helpers = `
  const inside = node => [
    ...(node.shadowRoot ? inside(node.shadowRoot) : []),
    ...[...node.children].flatMap(child => [child, ...inside(child)]),
  ];
  const all = (selector, root) => selector.split(' >>> ').reduce(
    (roots, part) => [...new Set(roots.flatMap(inside))].filter(element => element.matches(part)), [root]);
  const textOf = node => (node instanceof Text ? node.data : [...(node.shadowRoot ?? node).childNodes].map(textOf).join(''))
    .replace(/\\s+/g, ' ');
  const tileRoot = name => all('pa-tile', document).find(tile => {
    const heading = tile.shadowRoot?.querySelector('[part="heading"]');
    return heading && textOf(heading).trim() === name;
  })?.shadowRoot;
  const find = ({ selector, text, tile }) => {
    const root = tile === undefined ? document : tileRoot(tile);
    return (root ? all(selector, root) : []).filter(element =>
      element.checkVisibility({ visibilityProperty: true }) && (text === undefined || textOf(element).includes(text)));
  };`;

/**
 * A page with pa-embed elements in a controlled browser: finds elements in shadow roots and operates them with real
 * input.
 */
export class PageOfElements {
  readonly browser: DrivenBrowser;

  constructor(browser: DrivenBrowser) {
    this.browser = browser;
  }

  /** Runs a function with the first element and all elements; throws if none match. */
  read<T>(target: Target, source: string, ...args: Json[]): Promise<T> {
    return this.browser.run<T>(
      `async (target, ...args) => {${helpers}
        const found = find(target);
        if (found.length === 0) throw new Error('Not found: ' + JSON.stringify(target));
        return (${source})(found[0], found, ...args);
      }`,
      { ...target },
      ...args,
    );
  }

  count(target: Target): Promise<number> {
    return this.browser.run<number>(`target => {${helpers} return find(target).length; }`, { ...target });
  }

  /** Returns the text of each matching element. */
  texts(target: Target): Promise<string[]> {
    return this.browser.run<string[]>(
      `target => {${helpers} return find(target).map(element => textOf(element).trim()); }`,
      { ...target },
    );
  }

  /** Waits until an element matches. */
  async appears(target: Target): Promise<void> {
    await eventually(async () => {
      if ((await this.count(target)) === 0) throw new Error(`Not found: ${JSON.stringify(target)}`);
    });
  }

  /** Returns the center of the element, scrolled into view. */
  async place(target: Target): Promise<Place> {
    const { x, y, width, height } = await this.box(target);
    return { x: x + width / 2, y: y + height / 2 };
  }

  /** Returns the box of the element, scrolled into view. */
  async box(target: Target): Promise<{ x: number; y: number; width: number; height: number }> {
    await this.appears(target);
    return this.read(
      target,
      `async element => {
        element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      }`,
    );
  }

  async click(target: Target): Promise<void> {
    await this.browser.click(await this.place(target));
  }

  /** Whether the element or its focused descendant shows a focus ring. */
  async hasFocusRing(target: Target): Promise<boolean> {
    return (await this.count({ ...target, selector: `${target.selector}:focus-visible` })) > 0;
  }

  /** Opens a demo page as a tenant, and waits until the dashboard tiles are rendered. */
  async openDemo(url: string, tenant: string): Promise<void> {
    await this.browser.open(url);
    await this.#signIn(tenant);
    await this.browser.open(url);
    await this.tilesAreDrawn();
  }

  /**
   * Opens a demo page like `openDemo`, but listens for violations of the content security policy before any tile is
   * rendered. The signed-out page has no session, and its own script replaces the elements after signing in.
   */
  async openWatched(url: string, tenant: string): Promise<void> {
    await this.browser.open(url);
    await this.#signIn('');
    await this.browser.open(url);
    await this.browser.run(`() => {
      window.policyViolations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
        window.policyViolations.push([effectiveDirective, blockedURI, sample].join(' '));
      });
    }`);
    await this.#signIn(tenant);
    await this.browser.run(`() => import('/page.js?again').then(() => null)`);
    await this.tilesAreDrawn();
  }

  policyViolations(): Promise<string[]> {
    return this.browser.run<string[]>('() => window.policyViolations');
  }

  /** Waits until the page has elements and every tile settles, including unopened tabs. */
  async tilesAreDrawn(): Promise<void> {
    await eventually(async () => {
      if (!(await this.browser.run(`() => document.querySelector('pa-dashboard, pa-chat') !== null`)))
        throw new Error('The page is empty.');
    });
    await this.browser.run(`async () => {
      const tags = ['pa-dashboard', 'pa-report'].filter(tag => document.querySelector(tag));
      await Promise.all(tags.map(tag => customElements.whenDefined(tag)));
      await Promise.all(tags.map(tag => document.querySelector(tag).loadAll()));
    }`);
  }

  async #signIn(tenant: string): Promise<void> {
    await this.browser.run(
      `tenant => fetch('/api/sign-in', { method: 'POST', body: tenant }).then(() => null)`,
      tenant,
    );
  }
}
