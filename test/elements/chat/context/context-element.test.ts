import { expect } from '@open-wc/testing';
import type { ChatFrame } from '../../../../src/contract/chat.js';
import type { PaChat } from '../../../../src/elements/chat/chat-element.js';
import type { PaDashboard } from '../../../../src/elements/dashboard/dashboard-element.js';
import { setPinTarget } from '../../../../src/elements/parts/pin-target.js';
import { usage } from '../../../client/chat/fake-chat.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard } from '../../fake-session.js';
import { carrierReport, dashboardPage, labels, openMenu, runItem } from '../../parts/tile/tile-page.js';
import { ask, chatPage, composer, statusText, textOf, turns, within } from '../chat-page.js';
import type { FakeChat } from '../fake-chat-service.js';
import { answerWithThread, sendEnd, sendStart, threadFrames } from '../fake-chat-service.js';

const tilesOf = (board: PaDashboard) => [...board.renderRoot.querySelectorAll('pa-tile')];

interface Page {
  readonly element: PaChat;
  readonly chat: FakeChat;
  readonly board: PaDashboard;
}

const chips = (element: PaChat): HTMLButtonElement[] => [
  ...(within(element, 'pa-chat-context')?.shadowRoot?.querySelectorAll('button') ?? []),
];
const namesOf = (element: PaChat): string[] => chips(element).map(chip => chip.ariaLabel ?? textOf(chip));

async function openPage(fields: Partial<PaChat> = {}): Promise<Page> {
  const content = dashboard([chartWidget(0), chartWidget(1)], [carrierReport(0), carrierReport(1)]);
  const { element: board } = await dashboardPage(content);
  board.id = 'board';
  board.filters = { 'orders.status': { value: 'open' } };
  const { element, chat } = await chatPage(
    { htmlFor: 'board', ...fields },
    () => {},
    board.parentElement ?? document.body,
  );
  await eventually(() => chips(element).length === 1);
  return { element, chat, board };
}

async function send(page: Page, text: string): Promise<unknown> {
  await ask(page, text);
  const { context } = page.chat.last.ask;
  sendStart(page.chat.last);
  sendEnd(page.chat.last, 'Seven.');
  return context;
}

async function chooseAsk({ board }: Page, index: number): Promise<void> {
  const tile = tilesOf(board)[index];
  if (!tile) throw new Error('No tile.');
  await openMenu(tile);
  runItem(tile, 'Ask about this tile');
}

describe('chat of a dashboard', () => {
  afterEach(() => document.body.replaceChildren());

  it('sends the dashboard with its control values, and the tile of one question', async () => {
    const page = await openPage();
    const { element, board } = page;
    board.setState({ filters: { 'orders.country': { value: ['FR'] } } });
    const controls = {
      filters: { 'orders.status': { value: 'open' }, 'orders.country': { value: ['FR'] } },
      timeGrains: {},
      members: {},
    };
    expect(await send(page, 'How many?')).to.deep.equal({
      dashboardPublicId: 'Dashboard001',
      controls,
      canSetControls: true,
    });
    await chooseAsk(page, 1);
    await eventually(() => chips(element).length === 2);
    await expect(element).to.be.accessible();
    const [tile] = (tilesOf(board)[1]?.widgetId ?? '').split(' ');
    expect(await send(page, 'Why?')).to.deep.equal({
      dashboardPublicId: 'Dashboard001',
      tiles: [tile],
      controls,
      canSetControls: true,
    });
    await eventually(() => chips(element).length === 1);
  });

  it('sends no context after the viewer removed it, until the viewer adds it again', async () => {
    const page = await openPage();
    const { element } = page;
    await chooseAsk(page, 0);
    await eventually(() => chips(element).length === 2);
    chips(element)[0]?.click();
    await eventually(() => namesOf(element).length === 1 && namesOf(element)[0]?.includes('Ask about'));
    expect(await send(page, 'How many?')).to.equal(undefined);
    chips(element)[0]?.click();
    await eventually(() => namesOf(element)[0]?.startsWith('Remove'));
    expect(await send(page, 'How many?')).to.have.property('dashboardPublicId');
  });

  it('opens a closed panel from the menu of a tile, and removes the menu item with the chat', async () => {
    const page = await openPage({ mode: 'panel' });
    const { element, board } = page;
    await chooseAsk(page, 0);
    await eventually(
      () => element.open && within(element, 'pa-chat-composer')?.shadowRoot?.activeElement?.localName === 'textarea',
    );
    expect(chips(element).length).to.equal(2);
    element.remove();
    const [tile] = tilesOf(board);
    if (!tile) throw new Error('No tile.');
    await openMenu(tile);
    expect(labels(tile)).not.to.include('Ask about this tile');
  });
});

describe('controls that an answer sets', () => {
  afterEach(() => document.body.replaceChildren());

  const country = 'orders.country';
  const result = (dashboardPublicId = 'Dashboard001') => ({
    dashboardPublicId,
    state: { filters: { [country]: { value: ['FR'] } }, timeGrains: {}, members: {} },
    changes: [{ title: 'Country', value: 'FR' }],
  });
  const callFrame = (messageId: string, content = result()): ChatFrame => ({
    id: `${messageId}.2`,
    role: 'assistant',
    isInProcess: false,
    toolCall: { name: 'setDashboardControls', input: '{}', result: JSON.stringify(content) },
  });
  async function answer(page: Page, content = result()): Promise<void> {
    await ask(page, 'Only France');
    const { last } = page.chat;
    sendStart(last);
    last.send(callFrame(last.ask.messageId ?? '', content), callFrame(last.ask.messageId ?? '', content));
    last.send(usage);
    last.end();
  }
  const changeIn = (element: PaChat) =>
    turns(element).at(-1)?.querySelector('pa-chat-step')?.shadowRoot?.querySelector('pa-chat-control-change')
      ?.shadowRoot;
  const stepOf = (element: PaChat) => turns(element).at(-1)?.querySelector('pa-chat-step');

  it('are set once, shown, and restored by "Undo" without the later choices of the viewer', async () => {
    const page = await openPage();
    const { element, board } = page;
    board.setState({ filters: { [country]: { value: ['DE'] } } });
    await answer(page);
    expect(board.getState().filters).to.deep.equal({ [country]: { value: ['FR'] } });
    await eventually(() => textOf(changeIn(element)?.querySelector('li')) === 'Set Country to FR');
    await eventually(() => statusText(element) === 'Set Country to FR Answer complete');
    board.setState({ filters: { [country]: { value: ['FR'] }, 'orders.city': { value: ['Lyon'] } } });
    const undo = changeIn(element)?.querySelector('button');
    expect(textOf(undo)).to.equal('Undo');
    undo?.click();
    undo?.click();
    expect(board.getState().filters).to.deep.equal({
      [country]: { value: ['DE'] },
      'orders.city': { value: ['Lyon'] },
    });
    await eventually(() => textOf(undo) === 'Undone');
    await expect(element).to.be.accessible();
  });

  it('are not set from an earlier conversation', async () => {
    const page = await openPage();
    const { element, board, chat } = page;
    const [question, end] = threadFrames(1);
    const messageId = question?.id ?? '';
    chat.answers = answerWithThread([question, callFrame(messageId), end].filter(frame => frame !== undefined));
    element.openThread('thread-1');
    await eventually(() => textOf(changeIn(element)?.querySelector('li')) === 'Set Country to FR');
    expect(board.getState().filters).to.deep.equal({});
    expect(changeIn(element)?.querySelector('button')).to.equal(null);
  });

  it('are not set if the property forbids it, or for another dashboard', async () => {
    const page = await openPage();
    const { element, board } = page;
    await answer(page, result('Dashboard002'));
    await eventually(() => stepOf(element));
    expect(board.getState().filters).to.deep.equal({});
    element.restrictControls = true;
    await eventually(() => composer(element)?.isBusy === false);
    expect(await send(page, 'How many?')).not.to.have.property('canSetControls');
    await eventually(() => composer(element)?.isBusy === false);
    await answer(page);
    expect(board.getState().filters).to.deep.equal({});
  });

  it('are rejected for a filter that the host has locked', async () => {
    const page = await openPage();
    const { element, board } = page;
    board.lockedFilters = { [country]: { value: ['DE'] } };
    await answer(page);
    await eventually(() => textOf(changeIn(element)?.querySelector('p')).includes('does not allow'));
    expect(board.getState().filters).to.deep.equal({});
  });
});

describe('pinning an answer to the dashboard', () => {
  afterEach(() => document.body.replaceChildren());

  const queryFrame = (messageId: string): ChatFrame => ({
    id: `${messageId}.2`,
    role: 'assistant',
    isInProcess: false,
    toolCall: {
      name: 'dataQuery',
      input: '{}',
      result: JSON.stringify({
        schema: [{ name: 'orders.count', column_type: 'Int64' }],
        data: [['7']],
        checksum: 'sum',
      }),
    },
  });
  const pinIn = (element: PaChat) =>
    turns(element)
      .at(-1)
      ?.querySelector('pa-chat-step')
      ?.shadowRoot?.querySelector('pa-chat-result')
      ?.shadowRoot?.querySelector('pa-chat-pin');

  it('is offered for a complete answer while the dashboard accepts answers', async () => {
    const { element, board, chat } = await openPage();
    const pinned: unknown[] = [];
    const pin = async (...call: unknown[]): Promise<void> => {
      pinned.push(call);
    };
    const target = { widgets: [{ id: 'ai', title: 'Trend', isTaken: false }], pin, undo: pin };
    setPinTarget(board, target);
    await ask({ element, chat }, 'How many?');
    const { last } = chat;
    sendStart(last);
    last.send(queryFrame(last.ask.messageId ?? ''));
    await eventually(() => turns(element).at(-1)?.querySelector('pa-chat-step'));
    expect(pinIn(element) ?? null).to.equal(null);
    sendEnd(last, 'Seven.');
    await eventually(() => pinIn(element)?.shadowRoot?.querySelector('button'));
    pinIn(element)?.shadowRoot?.querySelector('button')?.click();
    await eventually(() => statusText(element).includes('Pinned to “Trend”'));
    expect(pinned).to.deep.equal([['ai', { threadId: element.threadId, checksum: 'sum' }]]);
    setPinTarget(board, null);
    await eventually(() => pinIn(element) === null);
  });
});
