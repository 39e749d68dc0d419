import { expect, nextFrame } from '@open-wc/testing';
import type { PaChat } from '../../../../src/elements/chat/chat-element.js';
import { echo, piece, tool, usage, whole } from '../../../client/chat/fake-chat.js';
import { eventually } from '../../eventually.js';
import { answerOf, ask, box, button, chatPage, textOf, transcript, turns } from '../chat-page.js';
import { answerWithThread, sendEnd, sendStart, threadFrames } from '../fake-chat-service.js';

const long = Array.from({ length: 40 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
const distance = (element: PaChat): number => {
  const found = box(element);
  return found ? found.scrollHeight - found.clientHeight - found.scrollTop : Number.NaN;
};
const frames = async (count = 3): Promise<void> => {
  for (let frame = 0; frame < count; frame += 1) await nextFrame();
};
/** Scrolls like a user: the browser fires the event with its next frame. */
const scrollTo = async (element: PaChat, top: number): Promise<void> => {
  const found = box(element);
  if (found) found.scrollTop = top;
  await frames();
};

async function thread(length: number): Promise<PaChat> {
  const { element } = await chatPage({ threadId: 't-1' }, fake => {
    fake.answers = answerWithThread(threadFrames(length));
  });
  await eventually(() => answerOf(element) === `Answer ${length - 1}.`);
  await eventually(() => distance(element) <= 1, 'the end is in view');
  return element;
}

describe('chat transcript', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows the last thirty messages of a long thread, scrolled to the end', async () => {
    const element = await thread(1000);
    expect(turns(element).length).to.equal(15);
    expect(answerOf(element, 0)).to.equal('Answer 985.');
  });

  it('adds older turns on scroll without moving the visible content', async () => {
    const element = await thread(100);
    const first = turns(element)[0];
    await scrollTo(element, 40);
    const top = first?.getBoundingClientRect().top ?? 0;
    await eventually(() => turns(element).length === 30);
    await frames();
    expect(Math.abs((first?.getBoundingClientRect().top ?? 0) - top)).to.be.lessThan(2);
    expect(answerOf(element, 0)).to.equal('Answer 70.');
  });

  it('adds older turns with a button and hides it at the beginning', async () => {
    const element = await thread(20);
    button(element, 'Show earlier messages')?.click();
    await eventually(() => turns(element).length === 20);
    expect(button(element, 'Show earlier messages')).to.equal(null);
  });

  it('stays at the end while an answer grows', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'List them');
    sendStart(chat.last, long);
    await eventually(() => textOf(turns(element)[0]).includes('Paragraph 39.'));
    await eventually(() => distance(element) <= 1);
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, `\n\n${long}`));
    await eventually(() => (turns(element)[0]?.querySelectorAll('p').length ?? 0) > 75);
    await eventually(() => distance(element) <= 1);
    expect(button(element, 'Jump to latest')).to.equal(null);
  });

  it('preserves the distance of a viewer who is near the end', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'List them');
    sendStart(chat.last, long);
    await eventually(() => distance(element) <= 1 && (box(element)?.scrollTop ?? 0) > 100);
    await scrollTo(element, (box(element)?.scrollTop ?? 0) - 30);
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, `\n\n${long}`));
    // Until everything is rendered, each frame has more content than the previous frame had room for.
    await eventually(() => turns(element)[0]?.querySelectorAll('.text > p').length === 80);
    await frames();
    expect(distance(element)).to.be.within(28, 32);
  });

  it('does not scroll a viewer who has scrolled up, and announces new content', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'List them');
    sendStart(chat.last, long);
    await eventually(() => distance(element) <= 1 && (box(element)?.scrollTop ?? 0) > 300);
    await scrollTo(element, 100);
    await eventually(() => button(element, 'Jump to latest'));
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, `\n\n${long}`));
    await eventually(() => (turns(element)[0]?.querySelectorAll('p').length ?? 0) > 75);
    await frames();
    expect(box(element)?.scrollTop).to.equal(100);
    await eventually(() => button(element, 'New content: jump to latest'));
    button(element, 'New content: jump to latest')?.click();
    await eventually(() => distance(element) <= 1);
    await eventually(() => !button(element, 'Jump to latest') && !button(element, 'New content: jump to latest'));
    sendEnd(chat.last, `${long}\n\n${long}\n\nThe end.`);
    await eventually(() => textOf(turns(element)[0]).includes('The end.'));
    await eventually(() => distance(element) <= 1);
  });

  it('scrolls to the end when a message is sent', async () => {
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(30));
    });
    await eventually(() => distance(element) <= 1 && (box(element)?.scrollTop ?? 0) > 300);
    await scrollTo(element, 200);
    await ask({ element, chat }, 'And now?');
    await eventually(() => turns(element).length === 15 && textOf(turns(element).at(-1)).includes('And now?'));
    await eventually(() => distance(element) <= 1);
  });

  it('keeps expanded content after a re-render', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'List them');
    sendStart(chat.last, 'There ');
    await eventually(() => answerOf(element) === 'There');
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, '**were** 7'));
    await eventually(() => answerOf(element) === 'There were 7');
    element.headingLevel = 4;
    await element.updateComplete;
    await frames();
    expect(answerOf(element)).to.equal('There were 7');
    for (const turn of turns(element)) turn.requestUpdate('context');
    await frames();
    expect(answerOf(element)).to.equal('There were 7');
  });

  it('requests no frames or timers while idle', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'List them');
    sendStart(chat.last);
    sendEnd(chat.last, long);
    await eventually(() => button(element, 'Send') && textOf(turns(element)[0]).includes('Paragraph 39.'));
    await frames(5);
    const scheduled: string[] = [];
    const { requestAnimationFrame, setTimeout, setInterval } = window;
    const note = (what: string) => () => scheduled.push(what);
    Object.assign(window, {
      requestAnimationFrame: note('frame'),
      setTimeout: note('timer'),
      setInterval: note('timer'),
    });
    // The frames that the test itself requests use the native function.
    for (let count = 0; count < 5; count += 1) {
      await new Promise(resolve => requestAnimationFrame.call(window, resolve));
    }
    Object.assign(window, { requestAnimationFrame, setTimeout, setInterval });
    expect(scheduled).to.deep.equal([]);
    expect(element.getAnimations({ subtree: true }).length).to.equal(0);
  });

  it('shows each date once between messages', async () => {
    const day = 86_400_000;
    const { element } = await chatPage({ threadId: 't-1', lang: 'en' }, fake => {
      fake.answers = answerWithThread([
        ...threadFrames(2, Date.UTC(2026, 2, 3, 12)),
        ...threadFrames(1, Date.UTC(2026, 2, 3, 12) + day),
      ]);
    });
    await eventually(() => turns(element).length === 3);
    const days = [...(transcript(element)?.renderRoot.querySelectorAll('.day') ?? [])].map(textOf);
    expect(days).to.deep.equal(['Tuesday, March 3, 2026', 'Wednesday, March 4, 2026']);
    expect(turns(element)[0]?.querySelector('time')?.getAttribute('datetime')).to.equal('2026-03-03T12:00:00.000Z');
  });

  it('shows the text of an answer above its results, and leaves at most 24 px between two parts', async () => {
    const result = { schema: [{ name: 'orders.count', column_type: 'Int64' }], data: [['3']], totalRows: 1 };
    const turn = (id: string) => [
      echo(id, 'How many orders?'),
      whole(`${id}.1`, 'I look at the orders.', { graphPath: ['data_analyst_agent'] }),
      tool(`${id}.2`, 'modelMeta', {}),
      tool(`${id}.3`, 'dataQuery', result),
      whole(`${id}.4`, 'There are **3** orders.', { finishReason: 'stop' }),
    ];
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread([...turn('1750000000000-message'), ...turn('1750000060000-message'), usage]);
    });
    const parts = (): Element[] =>
      turns(element).flatMap(shown => [
        ...[...shown.querySelectorAll('.bubble, .text.markdown')],
        ...[...shown.querySelectorAll('pa-chat-step')].flatMap(step => [
          ...(step.shadowRoot?.querySelectorAll('summary') ?? []),
          ...(step.shadowRoot?.querySelector('pa-chat-result')?.shadowRoot?.querySelectorAll('article') ?? []),
        ]),
      ]);
    await eventually(() => parts().length === 12, 'all parts are rendered');
    await frames();
    const boxes = parts()
      .map(part => ({ name: part.className || part.localName, box: part.getBoundingClientRect() }))
      .sort((a, b) => a.box.top - b.box.top);
    const one = ['bubble', 'text markdown', 'summary', 'text markdown', 'summary', 'article'];
    expect(boxes.map(({ name }) => name)).to.deep.equal([...one, ...one]);
    for (const [index, { box: after }] of boxes.slice(1).entries())
      expect(after.top - (boxes[index]?.box.bottom ?? 0)).to.be.within(0, 24);
  });
});
