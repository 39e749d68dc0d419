import { expect, fixture, html } from '@open-wc/testing';
import type { ChatThread } from '../../../../src/contract/chat.js';
import type { ChatService, ChatThreads } from '../../../../src/controllers/chat/chat-result.js';
import '../../../../src/elements/chat/threads/threads-element.js';
import type { PaChatThreads } from '../../../../src/elements/chat/threads/threads-element.js';
import { eventually } from '../../eventually.js';

const thread = (id: string, title = `Thread ${id}`): ChatThread => ({
  id,
  title,
  createdAt: '2026-01-02T03:04:05Z',
  updatedAt: '2026-01-02T03:04:05Z',
  isStreaming: false,
});

class FakeThreads implements ChatService {
  readonly log: string[] = [];
  fails = false;

  constructor(readonly pages: readonly (ChatThreads | null)[]) {}

  stream(): Promise<void> {
    return Promise.reject(new Error('not here'));
  }
  abort(): Promise<void> {
    return Promise.resolve();
  }
  async threads(page: { after?: string | undefined } = {}): Promise<ChatThreads | null> {
    this.log.push(`threads ${page.after ?? ''}`);
    if (this.fails) throw new Error('no');
    return this.pages[page.after === undefined ? 0 : 1] ?? null;
  }
  async rename(id: string, title: string): Promise<ChatThread> {
    this.log.push(`rename ${id} ${title}`);
    if (this.fails) throw new Error('no');
    return thread(id, title);
  }
  async remove(id: string): Promise<void> {
    this.log.push(`remove ${id}`);
    if (this.fails) throw new Error('no');
  }
  async suggestions(): Promise<readonly string[]> {
    return [];
  }
}

async function show(service: ChatService, fields: Partial<PaChatThreads> = {}): Promise<PaChatThreads> {
  const element = await fixture<PaChatThreads>(
    html`<pa-chat-threads .service=${service} .locale=${'en'} .current=${'b'}></pa-chat-threads>`,
  );
  Object.assign(element, fields);
  await eventually(() => element.renderRoot.querySelector('nav:not([aria-busy])') ?? element.hidden);
  return element;
}
const titles = (element: PaChatThreads): (string | null)[] =>
  [...element.renderRoot.querySelectorAll('.title')].map(title => title.textContent);
const buttonNamed = (element: PaChatThreads, label: string): HTMLButtonElement | null =>
  element.renderRoot.querySelector(`button[aria-label="${label}"]`);

describe('thread list', () => {
  const twoPages = [
    { items: [thread('a'), thread('b')], next: 'b' },
    { items: [thread('b'), thread('c')], next: null },
  ];

  it('lists threads by page and marks the open one', async () => {
    const element = await show(new FakeThreads(twoPages));
    expect(titles(element)).to.deep.equal(['Thread a', 'Thread b']);
    expect(element.renderRoot.querySelector('[aria-current]')?.textContent).to.contain('Thread b');
    await expect(element).to.be.accessible();
    [...element.renderRoot.querySelectorAll('button')].at(-1)?.click();
    await eventually(() => titles(element).length === 3);
  });

  it('opens a thread and requests a new one', async () => {
    const opened: string[] = [];
    const element = await show(new FakeThreads(twoPages), {
      onOpen: id => opened.push(id),
      onNew: () => opened.push('new'),
    });
    element.renderRoot.querySelector<HTMLButtonElement>('.open')?.click();
    element.renderRoot.querySelector<HTMLButtonElement>('.new')?.click();
    expect(opened).to.deep.equal(['a', 'new']);
  });

  it('renames by keyboard and returns the focus', async () => {
    const service = new FakeThreads(twoPages);
    const element = await show(service);
    buttonNamed(element, 'Rename “Thread a”')?.click();
    await eventually(() => element.shadowRoot?.activeElement instanceof HTMLInputElement);
    const field = element.renderRoot.querySelector('input');
    if (field) field.value = '  Delays ';
    element.renderRoot.querySelector('form')?.requestSubmit();
    await eventually(() => titles(element)[0] === 'Delays');
    expect(service.log).to.include('rename a Delays');
    await eventually(() => element.shadowRoot?.activeElement?.textContent?.includes('Delays'));
  });

  it('deletes only after confirmation and fires an event', async () => {
    const service = new FakeThreads(twoPages);
    const removed: string[] = [];
    const element = await show(service, { onRemoved: id => removed.push(id) });
    buttonNamed(element, 'Delete “Thread a”')?.click();
    await eventually(() => element.renderRoot.querySelector('.danger'));
    expect(element.shadowRoot?.activeElement?.textContent?.trim()).to.equal('Keep');
    expect(service.log).not.to.include('remove a');
    element.renderRoot.querySelector<HTMLButtonElement>('.danger')?.click();
    await eventually(() => removed.length === 1);
    expect(titles(element)).to.deep.equal(['Thread b']);
    expect(element.shadowRoot?.activeElement?.textContent).to.contain('Thread b');
  });

  it('changes nothing if deleting fails', async () => {
    const service = new FakeThreads(twoPages);
    const element = await show(service);
    service.fails = true;
    buttonNamed(element, 'Delete “Thread a”')?.click();
    await eventually(() => element.renderRoot.querySelector('.danger'));
    element.renderRoot.querySelector<HTMLButtonElement>('.danger')?.click();
    await eventually(() => element.renderRoot.querySelector('[role=status]')?.textContent?.includes('didn’t work'));
    expect(titles(element)).to.deep.equal(['Thread a', 'Thread b']);
  });

  it('is hidden if the service has no thread list', async () => {
    const element = await show(new FakeThreads([null]));
    expect(element.hidden).to.equal(true);
  });

  it('shows no threads of another service', async () => {
    const element = await show(new FakeThreads(twoPages));
    element.service = new FakeThreads([{ items: [], next: null }]);
    await element.updateComplete;
    expect(titles(element)).to.deep.equal([]);
    await eventually(() => element.renderRoot.textContent?.includes('will appear here'));
  });

  it('offers a retry if loading fails', async () => {
    const service = new FakeThreads(twoPages);
    service.fails = true;
    const element = await show(service);
    await eventually(() => element.renderRoot.textContent?.includes('could not be loaded'));
    service.fails = false;
    element.renderRoot.querySelector<HTMLButtonElement>('.quiet')?.click();
    await eventually(() => titles(element).length === 2);
  });
});
