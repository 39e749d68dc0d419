import { expect, nextFrame } from '@open-wc/testing';
import { eventually } from '../../eventually.js';
import { ask, button, chatPage, composer, input, press, textOf, transcript, turns, write } from '../chat-page.js';
import { answerWithThread, sendEnd, sendStart, threadFrames } from '../fake-chat-service.js';

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

afterEach(() => document.body.replaceChildren());

describe('chat composer input', () => {
  it('sends on Enter and adds a line on Shift+Enter', async () => {
    const { element, chat } = await chatPage();
    write(element, 'Hello');
    expect(press(input(element), 'Enter', { shiftKey: true }).defaultPrevented).to.equal(false);
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    expect(press(input(element), 'Enter').defaultPrevented).to.equal(true);
    await eventually(() => chat.streams.at(-1)?.ask.input === 'Hello');
  });

  it('ignores Enter during IME composition', async () => {
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

  it('ignores the second click of a double click and a held key for Stop', async () => {
    const { element, chat } = await chatPage();
    write(element, 'Hello');
    await eventually(() => button(element, 'Send')?.getAttribute('aria-disabled') === 'false');
    const click = (detail: number): boolean | undefined =>
      button(element, 'Stop')?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, cancelable: true }));
    button(element, 'Send')?.click();
    await eventually(() => chat.streams.length === 1 && button(element, 'Stop'));
    sendStart(chat.last);
    click(2);
    expect(press(button(element, 'Stop') as Element, 'Enter', { repeat: true }).defaultPrevented).to.equal(true);
    await nextFrame();
    expect(chat.aborted).to.deep.equal([]);
    click(1);
    await eventually(() => chat.aborted.length === 1);
  });

  it('grows with its text up to six lines', async () => {
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

  it('shows the maximum message length', async () => {
    const { element, chat } = await chatPage();
    write(element, 'x'.repeat(16_001));
    await eventually(() => noteOf(element) === 'At most 16,000 characters.');
    press(input(element), 'Enter');
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    write(element, 'x'.repeat(16_000));
    await eventually(() => noteOf(element) === '');
  });

  it('does not re-render the transcript while the user types', async () => {
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(1000));
    });
    await eventually(() => turns(element).every(turn => turn.querySelector('strong')) && turns(element).length === 15);
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

describe('chat composer drafts', () => {
  it('keeps an unsent message as the draft of its thread', async () => {
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(1));
    });
    await eventually(() => turns(element).length === 1);
    write(element, 'for the first');
    press(input(element), 'Enter');
    element.openThread('t-2');
    await eventually(() => chat.last.ask.chatId === 't-2' && turns(element).length === 1);
    expect(input(element).value).to.equal('');
    element.openThread('t-1');
    await eventually(() => input(element).value === 'for the first');
    expect(chat.streams.filter(({ ask: { input: sent } }) => sent !== undefined)).to.deep.equal([]);
  });

  it('restores a message that is stopped before sending', async () => {
    const { element, chat } = await chatPage();
    write(element, 'Too soon');
    press(input(element), 'Enter');
    await element.stop();
    await eventually(() => input(element).value === 'Too soon');
    expect(chat.streams.length).to.equal(0);
    await eventually(() => button(element, 'Send'));
    press(input(element), 'Enter');
    await eventually(() => chat.streams.at(-1)?.ask.input === 'Too soon');
  });

  it('keeps the draft while an answer is running', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'First');
    sendStart(chat.last);
    await eventually(() => button(element, 'Stop'));
    write(element, 'Second');
    press(input(element), 'Enter');
    await nextFrame();
    expect(chat.streams.length).to.equal(1);
    expect(input(element).value).to.equal('Second');
    expect(chat.aborted).to.deep.equal([]);
    sendEnd(chat.last, 'One.');
    await eventually(() => button(element, 'Send'));
    button(element, 'Send')?.click();
    await eventually(() => chat.streams.length === 2);
  });

  it('restores the last message on ArrowUp if the input is empty', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last);
    sendEnd(chat.last, 'Seven.');
    await eventually(() => button(element, 'Send'));
    write(element, 'x');
    press(input(element), 'ArrowUp');
    expect(input(element).value).to.equal('x');
    write(element, '');
    await nextFrame();
    press(input(element), 'ArrowUp');
    expect(input(element).value).to.equal('How many?');
  });

  it('keeps a draft per thread', async () => {
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(1));
    });
    await eventually(() => turns(element).length === 1);
    write(element, 'for the first');
    element.openThread('t-2');
    await eventually(() => input(element).value === '');
    write(element, 'for the second');
    element.openThread('t-1');
    await eventually(() => input(element).value === 'for the first');
    element.newThread();
    await eventually(() => input(element).value === '');
    element.openThread('t-2');
    await eventually(() => input(element).value === 'for the second');
  });

  it('keeps the draft when the thread gets its ID', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'First');
    write(element, 'meanwhile');
    sendStart(chat.last);
    await eventually(() => element.threadId === 'thread-1');
    expect(input(element).value).to.equal('meanwhile');
  });
});

describe('chat composer attachments', () => {
  it('attaches dropped and pasted images and sends them', async () => {
    const { element, chat } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    form?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer(file('a.png')), cancelable: true }));
    await eventually(() => images(element).length === 1);
    input(element).dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: transfer(file('b.png')), cancelable: true, bubbles: true }),
    );
    await eventually(() => images(element).length === 2);
    press(input(element), 'Enter');
    await eventually(() => chat.streams.length === 1);
    expect(chat.last.ask.images?.map(({ name }) => name)).to.deep.equal(['a.png', 'b.png']);
    await eventually(() => images(element).length === 0);
    await eventually(
      () => turns(element)[0]?.querySelector('pa-chat-attachments')?.shadowRoot?.querySelectorAll('img').length === 2,
    );
  });

  it('attaches at most four images from any source', async () => {
    const { element } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    for (const lot of ['a', 'b', 'c']) {
      const files = transfer(file(`${lot}1.png`), file(`${lot}2.png`), file(`${lot}3.png`));
      form?.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
    }
    await eventually(() => noteOf(element).includes('c3.png'));
    expect(images(element).map(({ name }) => name)).to.deep.equal(['a1.png', 'a2.png', 'a3.png', 'b1.png']);
  });

  it('sends an image that is still loading together with the text', async () => {
    const { element, chat } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    form?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer(file('a.png')), cancelable: true }));
    write(element, 'What is this?');
    press(input(element), 'Enter');
    await eventually(() => chat.streams.length === 1);
    expect(chat.last.ask.input).to.equal('What is this?');
    expect(chat.last.ask.images?.map(({ name }) => name)).to.deep.equal(['a.png']);
    await eventually(() => input(element).value === '' && images(element).length === 0);
  });

  it('reports a rejected file first and sends afterwards', async () => {
    const { element, chat } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    const files = transfer(file('a.svg', 'image/svg+xml'));
    form?.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
    write(element, 'What is this?');
    press(input(element), 'Enter');
    await eventually(() => noteOf(element) !== '');
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    press(input(element), 'Enter');
    await eventually(() => chat.streams.length === 1);
  });

  it('lists files that it cannot attach', async () => {
    const { element } = await chatPage();
    const form = composer(element)?.renderRoot.querySelector('form');
    form?.dispatchEvent(
      new DragEvent('drop', { dataTransfer: transfer(file('a.svg', 'image/svg+xml')), cancelable: true }),
    );
    await eventually(() => noteOf(element) === 'a.svg is not a supported image.');
    expect(images(element).length).to.equal(0);
  });

  it('pastes text instead of an accompanying image of that text', async () => {
    const { element } = await chatPage();
    const data = transfer(file('cells.png'));
    data.setData('text/plain', '1\t2');
    const paste = new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true });
    input(element).dispatchEvent(paste);
    expect(paste.defaultPrevented).to.equal(false);
  });
});
