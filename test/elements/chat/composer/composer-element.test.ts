import { expect, nextFrame } from '@open-wc/testing';
import { soon } from '../../soon.js';
import { ask, button, chatPage, composer, input, press, textOf, transcript, turns, write } from '../chat-page.js';
import { begin, finish, history, reads } from '../fake-chat-service.js';

const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const file = (name: string, type = 'image/png'): File => new File([png], name, { type });
const images = (element: Parameters<typeof composer>[0]) =>
  composer(element)?.renderRoot.querySelector('pa-chat-attachments')?.images ?? [];
const noteOf = (element: Parameters<typeof composer>[0]): string =>
  textOf(composer(element)?.renderRoot.querySelector('.note'));

function transfer(...files: readonly File[]): DataTransfer {
  const data = new DataTransfer();
  for (const one of files) data.items.add(one);
  return data;
}

describe('the composer of a chat', () => {
  afterEach(() => document.body.replaceChildren());

  it('sends by Enter, and starts a line by Shift and Enter', async () => {
    const { element, chat } = await chatPage();
    write(element, 'Hello');
    expect(press(input(element), 'Enter', { shiftKey: true }).defaultPrevented).to.equal(false);
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    expect(press(input(element), 'Enter').defaultPrevented).to.equal(true);
    await soon(() => chat.streams.at(-1)?.ask.input === 'Hello');
  });

  it('leaves Enter to whoever is writing a character', async () => {
    const { element, chat } = await chatPage();
    write(element, 'にほん');
    press(input(element), 'Enter', { isComposing: true });
    const safari = new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, cancelable: true });
    input(element).dispatchEvent(safari);
    await nextFrame();
    expect(safari.defaultPrevented).to.equal(false);
    expect(chat.streams.length).to.equal(0);
    expect(input(element).value).to.equal('にほん');
  });

  it('keeps words that could not be sent any more for their own thread', async () => {
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = reads(history(1));
    });
    await soon(() => turns(element).length === 1);
    write(element, 'for the first');
    press(input(element), 'Enter');
    element.openThread('t-2');
    await soon(() => chat.last.ask.chatId === 't-2' && turns(element).length === 1);
    expect(input(element).value).to.equal('');
    element.openThread('t-1');
    await soon(() => input(element).value === 'for the first');
    expect(chat.streams.filter(({ ask: { input: sent } }) => sent !== undefined)).to.deep.equal([]);
  });

  it('takes a message back that is stopped before it is sent', async () => {
    const { element, chat } = await chatPage();
    write(element, 'Too soon');
    press(input(element), 'Enter');
    await element.stop();
    await soon(() => input(element).value === 'Too soon');
    expect(chat.streams.length).to.equal(0);
    await soon(() => button(element, 'Send'));
    press(input(element), 'Enter');
    await soon(() => chat.streams.at(-1)?.ask.input === 'Too soon');
  });

  it('does not stop by the second press of a double click, nor by a key that is held', async () => {
    const { element, chat } = await chatPage();
    write(element, 'Hello');
    await soon(() => button(element, 'Send')?.getAttribute('aria-disabled') === 'false');
    const click = (detail: number): boolean | undefined =>
      button(element, 'Stop')?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, cancelable: true }));
    button(element, 'Send')?.click();
    await soon(() => chat.streams.length === 1 && button(element, 'Stop'));
    begin(chat.last);
    click(2);
    expect(press(button(element, 'Stop') as Element, 'Enter', { repeat: true }).defaultPrevented).to.equal(true);
    await nextFrame();
    expect(chat.aborted).to.deep.equal([]);
    click(1);
    await soon(() => chat.aborted.length === 1);
  });

  it('keeps what is written while an answer is under way', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'First');
    begin(chat.last);
    await soon(() => button(element, 'Stop'));
    write(element, 'Second');
    press(input(element), 'Enter');
    await nextFrame();
    expect(chat.streams.length).to.equal(1);
    expect(input(element).value).to.equal('Second');
    expect(chat.aborted).to.deep.equal([]);
    finish(chat.last, 'One.');
    await soon(() => button(element, 'Send'));
    button(element, 'Send')?.click();
    await soon(() => chat.streams.length === 2);
  });

  it('grows with its text to six lines', async () => {
    const { element } = await chatPage();
    const heights = [1, 3, 6, 9].map(lines => {
      write(element, Array.from({ length: lines }, () => 'line').join('\n'));
      return input(element).getBoundingClientRect().height;
    });
    const [one = 0, three = 0, six = 0, nine = 0] = heights;
    expect(three).to.be.greaterThan(one);
    expect(six).to.be.greaterThan(three);
    expect(nine).to.be.within(six, six + 1);
  });

  it('says how long a message may be', async () => {
    const { element, chat } = await chatPage();
    write(element, 'x'.repeat(16_001));
    await soon(() => noteOf(element) === 'At most 16,000 characters.');
    press(input(element), 'Enter');
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    write(element, 'x'.repeat(16_000));
    await soon(() => noteOf(element) === '');
  });

  it('fetches the last message back by the arrow key, where nothing is written', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    begin(chat.last);
    finish(chat.last, 'Seven.');
    await soon(() => button(element, 'Send'));
    write(element, 'x');
    press(input(element), 'ArrowUp');
    expect(input(element).value).to.equal('x');
    write(element, '');
    await nextFrame();
    press(input(element), 'ArrowUp');
    expect(input(element).value).to.equal('How many?');
  });

  it('keeps a draft for each thread', async () => {
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = reads(history(1));
    });
    await soon(() => turns(element).length === 1);
    write(element, 'for the first');
    element.openThread('t-2');
    await soon(() => input(element).value === '');
    write(element, 'for the second');
    element.openThread('t-1');
    await soon(() => input(element).value === 'for the first');
    element.newThread();
    await soon(() => input(element).value === '');
    element.openThread('t-2');
    await soon(() => input(element).value === 'for the second');
  });

  it('keeps what is written when the thread gets its id', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'First');
    write(element, 'meanwhile');
    begin(chat.last);
    await soon(() => element.threadId === 'thread-1');
    expect(input(element).value).to.equal('meanwhile');
  });

  it('attaches images that are dropped or pasted, and sends them', async () => {
    const { element, chat } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    form?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer(file('a.png')), cancelable: true }));
    await soon(() => images(element).length === 1);
    input(element).dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: transfer(file('b.png')), cancelable: true, bubbles: true }),
    );
    await soon(() => images(element).length === 2);
    press(input(element), 'Enter');
    await soon(() => chat.streams.length === 1);
    expect(chat.last.ask.images?.map(({ name }) => name)).to.deep.equal(['a.png', 'b.png']);
    await soon(() => images(element).length === 0);
    await soon(
      () => turns(element)[0]?.querySelector('pa-chat-attachments')?.shadowRoot?.querySelectorAll('img').length === 2,
    );
  });

  it('attaches four images at most, however they come', async () => {
    const { element } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    for (const lot of ['a', 'b', 'c']) {
      const files = transfer(file(`${lot}1.png`), file(`${lot}2.png`), file(`${lot}3.png`));
      form?.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
    }
    await soon(() => noteOf(element).includes('c3.png'));
    expect(images(element).map(({ name }) => name)).to.deep.equal(['a1.png', 'a2.png', 'a3.png', 'b1.png']);
  });

  it('sends an image that is still being read along with its words', async () => {
    const { element, chat } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    form?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer(file('a.png')), cancelable: true }));
    write(element, 'What is this?');
    press(input(element), 'Enter');
    await soon(() => chat.streams.length === 1);
    expect(chat.last.ask.input).to.equal('What is this?');
    expect(chat.last.ask.images?.map(({ name }) => name)).to.deep.equal(['a.png']);
    await soon(() => input(element).value === '' && images(element).length === 0);
  });

  it('says first which file can’t go along, and sends then', async () => {
    const { element, chat } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    const files = transfer(file('a.svg', 'image/svg+xml'));
    form?.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
    write(element, 'What is this?');
    press(input(element), 'Enter');
    await soon(() => noteOf(element) !== '');
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    press(input(element), 'Enter');
    await soon(() => chat.streams.length === 1);
  });

  it('says which files it can’t attach', async () => {
    const { element } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    form?.dispatchEvent(
      new DragEvent('drop', { dataTransfer: transfer(file('a.svg', 'image/svg+xml')), cancelable: true }),
    );
    await soon(() => noteOf(element) === 'a.svg is not an image that can be sent.');
    expect(images(element).length).to.equal(0);
  });

  it('pastes text as text where a picture of it comes along', async () => {
    const { element } = await chatPage();
    const data = transfer(file('cells.png'));
    data.setData('text/plain', '1\t2');
    const paste = new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true });
    input(element).dispatchEvent(paste);
    expect(paste.defaultPrevented).to.equal(false);
  });

  it('draws nothing of the transcript while somebody types', async () => {
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = reads(history(1000));
    });
    await soon(() => turns(element).every(turn => turn.querySelector('strong')) && turns(element).length === 15);
    await nextFrame();
    let changes = 0;
    const observer = new MutationObserver(list => {
      changes += list.length;
    });
    for (const root of [element.renderRoot, transcript(element)?.renderRoot]) {
      if (root) observer.observe(root, { childList: true, subtree: true, characterData: true, attributes: true });
    }
    for (const text of ['H', 'He', 'Hel', 'Hell', 'Hello']) {
      write(element, text);
      await nextFrame();
    }
    observer.disconnect();
    expect(changes).to.equal(0);
  });
});
