import { expect, nextFrame } from '@open-wc/testing';
import type { PaChat } from '../../../src/elements/chat/chat-element.js';
import { piece, tool, usage } from '../../client/chat/fake-chat.js';
import { eventually } from '../eventually.js';
import {
  answerOf,
  ask,
  box,
  button,
  chatPage,
  composer,
  input,
  press,
  statusText,
  textOf,
  transcript,
  turns,
  within,
} from './chat-page.js';
import { answerWithThread, type FakeChat, sendEnd, sendStart, threadFrames } from './fake-chat-service.js';

const focused = (element: PaChat): Element | null => {
  let inner = element.shadowRoot?.activeElement ?? null;
  while (inner?.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
  return inner;
};
const launcher = (element: PaChat): HTMLElement | null => within(element, '.launcher');
const isOpen = (element: PaChat): boolean => within(element, '.frame')?.matches(':popover-open') ?? false;

async function receiveAnswer(chat: FakeChat, element: PaChat): Promise<void> {
  await ask({ element, chat }, 'How many?');
  sendStart(chat.last);
  chat.last.send(
    tool('s1', 'dataQuery'),
    tool('s1', 'dataQuery', { schema: [], data: [], totalRows: 0, vegaSpec: '{}' }),
  );
  sendEnd(chat.last, 'There were seven. Most in May.\n\n- one\n- two\n\nThe end.\n\n| a |\n|---|\n| 1 |');
  await eventually(() => button(element, 'Send') && turns(element)[0]?.querySelector('.text > .wide'));
}

afterEach(() => document.body.replaceChildren());

describe('chat accessibility', () => {
  for (const scheme of ['light', 'dark']) {
    it(`has no axe violations, ${scheme}`, async () => {
      document.body.style.setProperty('color-scheme', scheme);
      document.body.style.setProperty('background', scheme === 'dark' ? '#0f1116' : '#fff');
      const { element, chat } = await chatPage({ suggestions: ['How many?'] });
      chat.list = [];
      await eventually(() => button(element, 'How many?'));
      await expect(element).to.be.accessible();
      await receiveAnswer(chat, element);
      button(element, 'Bad answer')?.click();
      await eventually(() => button(element, 'Write a comment'));
      button(element, 'Write a comment')?.click();
      await eventually(() => focused(element)?.matches('pa-chat-comment textarea, #comment'));
      await expect(element).to.be.accessible();
      await ask({ element, chat }, 'And now?');
      sendStart(chat.last, 'It ');
      chat.last.send({ error: 'No.' }, usage);
      chat.last.end();
      await eventually(() => button(element, 'Retry'));
      await expect(element).to.be.accessible();
      document.body.removeAttribute('style');
    });
  }

  it('fits into 360 px in both directions', async () => {
    for (const dir of ['ltr', 'rtl']) {
      const { element, chat } = await chatPage({ dir });
      element.style.setProperty('width', '360px');
      await receiveAnswer(chat, element);
      const scrolled = box(element);
      expect(scrolled?.scrollWidth).to.equal(scrolled?.clientWidth);
      const frame = element.getBoundingClientRect();
      const bubble = turns(element)[0]?.querySelector('.bubble')?.getBoundingClientRect();
      const send = button(element, 'Send')?.getBoundingClientRect();
      const isAtEnd = (rect: DOMRect | undefined): boolean =>
        dir === 'rtl' ? (rect?.left ?? 0) - frame.left < 40 : frame.right - (rect?.right ?? 0) < 40;
      expect(isAtEnd(bubble), `the bubble, ${dir}`).to.equal(true);
      expect(isAtEnd(send), `the button, ${dir}`).to.equal(true);
      element.remove();
    }
  });

  it('leaves only room for the actions between the last answer and the replies', async () => {
    const { element, chat } = await chatPage({ suggestions: ['Why?'] });
    await receiveAnswer(chat, element);
    const answer = turns(element).at(-1)?.querySelector('.answer')?.getBoundingClientRect();
    const content = turns(element).at(-1)?.parentElement?.getBoundingClientRect();
    expect((content?.bottom ?? 0) - (answer?.bottom ?? 0)).to.equal(32);
  });

  it('aligns the placeholder with the language of the chat, and input with its own', async () => {
    const { element } = await chatPage({ locale: 'ar' });
    await eventually(() => getComputedStyle(input(element)).direction === 'rtl');
    input(element).value = 'Flights';
    input(element).dispatchEvent(new Event('input'));
    await eventually(() => getComputedStyle(input(element)).direction === 'ltr');
  });

  it('has 32 px touch targets', async () => {
    const { element, chat } = await chatPage({ suggestions: ['Why?'] });
    await receiveAnswer(chat, element);
    const roots = [element.renderRoot, transcript(element)?.renderRoot, composer(element)?.renderRoot];
    const small = roots
      .flatMap(root => [...(root?.querySelectorAll('button') ?? [])])
      .filter(one => one.offsetParent && !one.closest('.bar'))
      .filter(one => one.offsetWidth < 32 || one.offsetHeight < 32)
      .map(one => one.getAttribute('aria-label') ?? textOf(one));
    expect(small).to.deep.equal([]);
  });

  it('uses German on a German page', async () => {
    const { element } = await chatPage({ lang: 'de' });
    await eventually(() => button(element, 'Senden'));
    expect(input(element).placeholder).to.equal('Frage stellen');
  });
});

describe('chat announcements', () => {
  it('is a log without live announcements', async () => {
    const page = await chatPage();
    await receiveAnswer(page.chat, page.element);
    const log = box(page.element);
    expect(log?.getAttribute('role')).to.equal('log');
    expect(log?.getAttribute('aria-live')).to.equal('off');
    expect(log?.getAttribute('aria-label')).to.equal('Messages');
  });

  it('announces the start, the first sentence and the contents of an answer', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last);
    await eventually(() => statusText(element) === 'Answering');
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, 'There were **seven**'));
    await eventually(() => answerOf(element).includes('seven'));
    expect(statusText(element)).to.equal('Answering');
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, ' flights. Most'));
    await eventually(() => statusText(element) === 'There were seven flights.');
    sendEnd(chat.last, 'There were **seven** flights. Most in May.\n\nThe end.');
    await eventually(() => statusText(element) === 'Answer complete: 2 paragraphs');
  });

  it('announces step results and the first sentence of an instant answer', async () => {
    const page = await chatPage();
    await receiveAnswer(page.chat, page.element);
    await eventually(() => statusText(page.element).includes('complete'));
    expect(statusText(page.element)).to.equal(
      'There were seven. Answer complete: 2 paragraphs, 1 list, 1 table, 1 chart',
    );
  });

  it('announces a stopped answer', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'There were seven. ');
    await eventually(() => statusText(element) === 'There were seven.');
    chat.last.send({ id: '__aborted__', type: 'abort', code: 'chat_aborted' }, usage);
    chat.last.end();
    await eventually(() => statusText(element) === 'You stopped this answer.');
  });

  it('announces nothing for a loaded thread', async () => {
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(3));
    });
    await eventually(() => turns(element).length === 3);
    await nextFrame();
    expect(statusText(element)).to.equal('');
  });
});

describe('chat keyboard focus', () => {
  it('moves the focus from the composer into the latest answer, through its blocks, and back', async () => {
    const { element, chat } = await chatPage();
    await receiveAnswer(chat, element);
    input(element).focus();
    press(input(element), 'PageUp', { altKey: true });
    expect(textOf(focused(element))).to.equal('There were seven. Most in May.');
    const pressAndGetFocus = (key: string): Element | null => {
      const from = focused(element);
      if (from) press(from, key);
      return focused(element);
    };
    expect(pressAndGetFocus('ArrowDown')?.localName).to.equal('ul');
    expect(textOf(pressAndGetFocus('ArrowDown'))).to.equal('The end.');
    expect(pressAndGetFocus('ArrowDown')?.className).to.equal('wide');
    expect(pressAndGetFocus('End')?.localName).to.equal('pa-chat-step');
    expect(pressAndGetFocus('ArrowDown')?.localName).to.equal('pa-chat-step');
    expect(pressAndGetFocus('ArrowUp')?.className).to.equal('wide');
    expect(textOf(pressAndGetFocus('Home'))).to.equal('There were seven. Most in May.');
    expect(pressAndGetFocus('Escape')).to.equal(input(element));
    expect(turns(element)[0]?.querySelectorAll('.text > p[tabindex]').length).to.equal(0);
  });

  it('keeps the focus when a failed answer is retried', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'It ');
    chat.last.send({ error: 'No.' }, usage);
    chat.last.end();
    await eventually(() => button(element, 'Retry'));
    button(element, 'Retry')?.focus();
    button(element, 'Retry')?.click();
    await eventually(() => chat.streams.length === 2);
    expect(focused(element)).to.equal(box(element));
  });

  it('keeps the focus when the open thread is deleted', async () => {
    const { element } = await chatPage({ threadId: 't-9' }, fake => {
      fake.list = [{ id: 't-9', title: 'Delays', createdAt: '', updatedAt: '', isStreaming: false }];
      fake.answers = answerWithThread(threadFrames(1));
    });
    await eventually(() => button(element, 'Earlier chats') && turns(element).length === 1);
    button(element, 'Earlier chats')?.click();
    const list = (selector: string): HTMLElement | null | undefined =>
      within(element, 'pa-chat-threads')?.shadowRoot?.querySelector<HTMLElement>(selector);
    await eventually(() => list('[aria-label^="Delete"]'));
    list('[aria-label^="Delete"]')?.click();
    await eventually(() => list('.danger'));
    list('.danger')?.click();
    await eventually(() => focused(element) === input(element));
    expect(turns(element).length).to.equal(0);
  });
});

describe('chat launcher and panel', () => {
  for (const locale of ['en', 'ar']) {
    it(`puts the launcher on the side where the panel opens, regardless of the page direction: ${locale}`, async () => {
      const { element } = await chatPage({ mode: 'panel', locale });
      const sideOf = (selector: string): string => {
        const { left, right } = within(element, selector)?.getBoundingClientRect() ?? new DOMRect();
        return left + right > innerWidth ? 'right' : 'left';
      };
      await eventually(() => within(element, '.frame')?.dir === (locale === 'ar' ? 'rtl' : 'ltr'));
      const side = sideOf('.launcher');
      element.open = true;
      await element.updateComplete;
      expect([side, sideOf('.frame')]).to.eql(locale === 'ar' ? ['left', 'left'] : ['right', 'right']);
      element.remove();
    });
  }

  for (const locale of ['en', 'ar']) {
    it(`keeps the launcher within the margin and padding next to the content: ${locale}`, async () => {
      const { element } = await chatPage({ mode: 'panel', locale });
      await eventually(() => within(element, '.frame')?.dir === (locale === 'ar' ? 'rtl' : 'ltr'));
      const { left, right, height } = launcher(element)?.getBoundingClientRect() ?? new DOMRect();
      const edge = document.documentElement.clientWidth;
      expect([left, right]).to.eql(locale === 'ar' ? [0, 28] : [edge - 28, edge]);
      expect(height).to.be.at.least(44);
      element.remove();
    });
  }

  it('opens an overlay panel and returns the focus on close', async () => {
    const { element, chat } = await chatPage({ mode: 'panel' });
    expect(isOpen(element)).to.equal(false);
    expect(composer(element)).to.equal(null);
    launcher(element)?.click();
    await eventually(() => isOpen(element));
    await eventually(() => focused(element) === input(element));
    const press1 = press(input(element), 'Escape');
    expect(press1.defaultPrevented).to.equal(true);
    await eventually(() => !isOpen(element) && focused(element) === launcher(element));
    expect(element.open).to.equal(false);
    element.open = true;
    await eventually(() => isOpen(element));
    await receiveAnswer(chat, element);
    press(input(element), 'PageUp', { altKey: true });
    press(focused(element) ?? element, 'Escape');
    expect(focused(element)).to.equal(input(element));
    expect(isOpen(element)).to.equal(true);
    button(element, 'Close chat')?.click();
    await eventually(() => !isOpen(element));
  });

  for (const mode of ['panel', 'docked'] as const) {
    it(`focuses the launcher when the host closes the panel, ${mode}`, async () => {
      const { element } = await chatPage({ mode, open: true });
      await eventually(() => composer(element));
      input(element).focus();
      element.open = false;
      await eventually(() => focused(element) === launcher(element));
      const outside = document.body.appendChild(document.createElement('button'));
      element.open = true;
      await element.updateComplete;
      outside.focus();
      element.open = false;
      await element.updateComplete;
      expect(document.activeElement).to.equal(outside);
    });
  }

  it('loads nothing before the panel opens', async () => {
    const { element, chat } = await chatPage({ mode: 'panel', threadId: 't-1' });
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    element.focus();
    await eventually(() => chat.streams.length === 1);
  });

  it('collapses and expands next to other content', async () => {
    const { element } = await chatPage({ mode: 'docked' });
    element.style.removeProperty('width');
    expect(element.getBoundingClientRect().width).to.be.lessThan(60);
    launcher(element)?.click();
    await eventually(() => element.getBoundingClientRect().width > 300);
    expect(getComputedStyle(within(element, '.frame') as Element).display).to.equal('flex');
    button(element, 'Close chat')?.click();
    await eventually(() => element.getBoundingClientRect().width < 60);
  });
});

describe('chat thread list', () => {
  it('closes the thread list on the first Escape and the panel on the second', async () => {
    const { element } = await chatPage({ mode: 'panel', open: true }, fake => {
      fake.list = [{ id: 't-9', title: 'Delays', createdAt: '', updatedAt: '', isStreaming: false }];
    });
    await eventually(() => button(element, 'Earlier chats'));
    button(element, 'Earlier chats')?.click();
    const list = () => within(element, 'pa-chat-threads');
    await eventually(() => list()?.shadowRoot?.querySelector('.open'));
    press(list()?.shadowRoot?.querySelector('.open') as Element, 'Escape', { keyCode: 229 });
    await nextFrame();
    expect(list()).to.exist;
    press(list()?.shadowRoot?.querySelector('.open') as Element, 'Escape');
    await eventually(() => !list() && focused(element) === input(element));
    expect(isOpen(element)).to.equal(true);
    press(input(element), 'Escape');
    await eventually(() => !isOpen(element));
  });

  it('offers earlier threads if the service lists them', async () => {
    const thread = {
      id: 't-9',
      title: 'Delays in May',
      createdAt: '',
      updatedAt: '2026-03-03T12:00:00Z',
      isStreaming: false,
    };
    const { element, chat } = await chatPage({}, fake => {
      fake.list = [thread];
      fake.answers = answerWithThread(threadFrames(1));
    });
    await eventually(() => button(element, 'Earlier chats'));
    button(element, 'Earlier chats')?.click();
    const list = () => within(element, 'pa-chat-threads')?.shadowRoot;
    await eventually(() => list()?.querySelector('.open'));
    list()?.querySelector<HTMLElement>('.open')?.click();
    await eventually(() => turns(element).length === 1);
    expect(chat.last.ask.chatId).to.equal('t-9');
    expect(within(element, 'pa-chat-threads')).to.equal(null);
    const without = await chatPage();
    await nextFrame();
    expect(button(without.element, 'Earlier chats')).to.equal(null);
  });
});
