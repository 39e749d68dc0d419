import { expect, fixture, html } from '@open-wc/testing';
import { PaError, PaErrorCode } from '../../../../src/client/errors.js';
import '../../../../src/elements/chat/pin/pin-element.js';
import type { PaChatPin, PinContext } from '../../../../src/elements/chat/pin/pin-element.js';
import type { PinWidget } from '../../../../src/elements/parts/pin-target.js';
import { eventually } from '../../eventually.js';

interface Page {
  readonly element: PaChatPin;
  /** Calls that the dashboard has received. */
  readonly calls: unknown[][];
  readonly announced: string[];
  /** Status with which the dashboard rejects calls; `null` if it accepts them. */
  refusal: number | null;
}

async function openPage(widgets: readonly PinWidget[]): Promise<Page> {
  const page: Omit<Page, 'element'> = { calls: [], announced: [], refusal: null };
  const receive = async (...call: unknown[]): Promise<void> => {
    page.calls.push(call);
    if (page.refusal !== null) throw new PaError(PaErrorCode.notFound, 'no', { status: page.refusal });
  };
  const pins: PinContext = {
    threadId: 'thread',
    target: {
      widgets,
      pin: (id, answer) => receive('pin', id, answer),
      undo: (id, checksum) => receive('undo', id, checksum),
    },
    announce: text => page.announced.push(text),
  };
  const element = await fixture<PaChatPin>(
    html`<pa-chat-pin .pins=${pins} .checksum=${'sum'} .locale=${'en'}></pa-chat-pin>`,
  );
  return Object.assign(page, { element });
}

const trend: PinWidget = { id: 'a', title: 'Trend', isTaken: false };
const other: PinWidget = { id: 'b', title: 'Other', isTaken: true };
const buttons = ({ element }: Page): HTMLButtonElement[] => [...element.renderRoot.querySelectorAll('button')];
const names = (page: Page): string[] => buttons(page).map(button => button.textContent?.trim() ?? '');
const press = (page: Page, name: string): void => buttons(page)[names(page).indexOf(name)]?.click();
const shows = (page: Page, ...expected: string[]) => eventually(() => names(page).join() === expected.join());
const textIn = ({ element }: Page): string => element.renderRoot.textContent ?? '';

describe('pinning an answer', () => {
  it('uses the only widget, and undoes that with the same button', async () => {
    const page = await openPage([trend]);
    await shows(page, 'Pin to dashboard');
    buttons(page)[0]?.focus();
    press(page, 'Pin to dashboard');
    await shows(page, 'Undo');
    expect(textIn(page)).to.include('Pinned to “Trend”');
    await expect(page.element).to.be.accessible();
    press(page, 'Undo');
    await shows(page, 'Pin to dashboard');
    expect(page.element.shadowRoot?.activeElement).to.equal(buttons(page)[0]);
    expect(page.calls).to.deep.equal([
      ['pin', 'a', { threadId: 'thread', checksum: 'sum' }],
      ['undo', 'a', 'sum'],
    ]);
    expect(page.announced).to.deep.equal([
      'Pinned to “Trend”. Each viewer sees the answer with their own data.',
      'The answer is no longer pinned.',
    ]);
  });

  it('lets the author choose one of several widgets', async () => {
    const page = await openPage([trend, other]);
    press(page, 'Pin to dashboard');
    await shows(page, 'Pin to dashboard', 'Pin to “Trend”', 'Replace the answer in “Other”');
    await expect(page.element).to.be.accessible();
    press(page, 'Pin to dashboard');
    await shows(page, 'Pin to dashboard');
    press(page, 'Pin to dashboard');
    await shows(page, 'Pin to dashboard', 'Pin to “Trend”', 'Replace the answer in “Other”');
    press(page, 'Replace the answer in “Other”');
    await shows(page, 'Undo');
    expect(page.element.shadowRoot?.activeElement).to.equal(buttons(page)[0]);
    expect(page.calls).to.deep.equal([['pin', 'b', { threadId: 'thread', checksum: 'sum' }]]);
  });

  it('says why it failed, and still offers "Undo" if that failed', async () => {
    const page = await openPage([trend]);
    page.refusal = 500;
    press(page, 'Pin to dashboard');
    await eventually(() => textIn(page).includes('The dashboard could not be changed'));
    await shows(page, 'Pin to dashboard');
    page.refusal = null;
    press(page, 'Pin to dashboard');
    await shows(page, 'Undo');
    page.refusal = 409;
    press(page, 'Undo');
    await eventually(() => textIn(page).includes('has changed since'));
    expect(names(page)).to.deep.equal(['Undo']);
  });

  it('shows nothing to viewers who may not pin', async () => {
    const page = await openPage([trend]);
    page.element.pins = null;
    await page.element.updateComplete;
    expect(names(page)).to.deep.equal([]);
  });
});
