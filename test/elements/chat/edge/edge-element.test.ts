import { expect } from '@open-wc/testing';
import type { PaChat } from '../../../../src/elements/chat/chat-element.js';
import { eventually } from '../../eventually.js';
import { chatPage, press, within } from '../chat-page.js';

const root = document.documentElement;
const edge = (element: PaChat): HTMLElement | null =>
  within(element, 'pa-chat-edge')?.shadowRoot?.querySelector<HTMLElement>('[role=separator]') ?? null;
const frame = (element: PaChat): DOMRect => within(element, '.frame')?.getBoundingClientRect() ?? new DOMRect();

/** The window's width, as the element sees it. */
function setWindowWidth(width: number): void {
  Object.defineProperty(window, 'innerWidth', { value: width, configurable: true });
  dispatchEvent(new Event('resize'));
}

async function openPanel(fields: Partial<PaChat> = {}): Promise<{ element: PaChat; separator: HTMLElement }> {
  const { element } = await chatPage({ mode: 'panel', open: true, ...fields });
  element.style.setProperty('--pa-chat-width', '400px');
  await eventually(() => edge(element));
  const separator = edge(element);
  if (!separator) throw new Error('No edge.');
  return { element, separator };
}

describe('chat edge', () => {
  const { innerWidth: width } = window;
  afterEach(() => {
    document.body.replaceChildren();
    setWindowWidth(width);
  });

  it('resizes the panel with keys and remembers the width for the other chats of the page', async () => {
    const { element, separator } = await openPanel();
    press(separator, 'ArrowLeft');
    await eventually(() => frame(element).width === 416);
    press(separator, 'ArrowRight');
    await eventually(() => frame(element).width === 400);
    press(separator, 'Home');
    await eventually(() => frame(element).width === 320 && separator.ariaValueNow === '320');
    element.remove();
    const next = await openPanel();
    await eventually(() => frame(next.element).width === 320);
    press(next.separator, 'Enter');
    await eventually(() => frame(next.element).width === 400);
    await expect(next.element).to.be.accessible();
  });

  for (const locale of ['en', 'ar']) {
    it(`follows the pointer away from the side of the window: ${locale}`, async () => {
      const { element, separator } = await openPanel({ locale });
      await eventually(() => within(element, '.frame')?.dir === (locale === 'ar' ? 'rtl' : 'ltr'));
      separator.setPointerCapture = () => {};
      const drag = (type: string, clientX: number): boolean =>
        separator.dispatchEvent(new PointerEvent(type, { clientX, pointerId: 1, bubbles: true }));
      drag('pointerdown', 400);
      drag('pointermove', locale === 'ar' ? 450 : 350);
      drag('pointerup', locale === 'ar' ? 450 : 350);
      await eventually(() => frame(element).width === 450);
      drag('pointermove', 100);
      separator.dispatchEvent(new MouseEvent('dblclick'));
      await eventually(() => frame(element).width === 400);
    });
  }

  for (const [locale, side] of [
    ['en', 'padding-right'],
    ['ar', 'padding-left'],
  ] as const) {
    it(`is docked next to the content while there is room: ${locale}`, async () => {
      setWindowWidth(1440);
      const { element } = await openPanel({ locale });
      await eventually(() => root.style.getPropertyValue(side) === '400px');
      const { top, height } = frame(element);
      expect([top, height]).to.eql([0, innerHeight]);
      setWindowWidth(1000);
      await eventually(() => root.style.getPropertyValue(side) === '');
      setWindowWidth(1440);
      await eventually(() => root.style.getPropertyValue(side) === '400px');
      element.open = false;
      await eventually(() => root.style.getPropertyValue(side) === '');
      element.open = true;
      await eventually(() => root.style.getPropertyValue(side) === '400px');
      element.remove();
      expect(root.style.getPropertyValue(side)).to.equal('');
    });
  }
});

describe('two chat panels', () => {
  it('leave no space behind when both have closed', async () => {
    const { innerWidth: width } = window;
    setWindowWidth(1440);
    const reserved = () => root.style.getPropertyValue('padding-right');
    const { element: first } = await openPanel();
    await eventually(() => reserved() === '400px');
    const { element: second } = await openPanel();
    const isDocked = (element: PaChat) => within(element, '[data-docked]') !== null;
    await eventually(() => isDocked(first) && isDocked(second));
    first.open = false;
    await eventually(() => !isDocked(first));
    second.open = false;
    await eventually(() => !isDocked(second));
    expect(reserved()).to.equal('');
    document.body.replaceChildren();
    setWindowWidth(width);
  });
});

describe('empty chat', () => {
  it('has suggestions and composer in one centered column of at most 880 px', async () => {
    const { element } = await chatPage({ suggestions: ['How many?'] });
    element.style.setProperty('width', '1400px');
    const rectOf = (selector: string): DOMRect => within(element, selector)?.getBoundingClientRect() ?? new DOMRect();
    const form = within(element, 'pa-chat-composer')?.shadowRoot?.querySelector('form');
    await eventually(() => rectOf('.suggestions').width > 0 && form);
    const { width, left, right, bottom } = form?.getBoundingClientRect() ?? new DOMRect();
    expect(width).to.be.at.most(880);
    const outer = frame(element);
    expect(left - outer.left).to.be.closeTo(outer.right - right, 2);
    expect(rectOf('.suggestions').bottom).to.be.lessThan(bottom);
    expect(outer.bottom - bottom).to.be.greaterThan(60);
  });
});
