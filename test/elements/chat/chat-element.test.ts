import { expect, nextFrame, oneEvent } from '@open-wc/testing';
import { PaError } from '../../../src/client/errors.js';
import { piece, tool, usage } from '../../client/chat/fake-chat.js';
import { eventually } from '../eventually.js';
import {
  answerOf,
  ask,
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
  write,
} from './chat-page.js';
import { answerWithThread, sendEnd, sendStart, threadFrames } from './fake-chat-service.js';

const endingText = (element: Parameters<typeof turns>[0]): string =>
  textOf(turns(element).at(-1)?.querySelector('.ending p'));
const workingText = (element: Parameters<typeof turns>[0]): string =>
  textOf(turns(element).at(-1)?.querySelector('.working'));

afterEach(() => document.body.replaceChildren());

describe('<pa-chat> answers', () => {
  it('shows the question immediately and streams the answer', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many flights?');
    await eventually(() => textOf(turns(element)[0]?.querySelector('.bubble')) === 'How many flights?');
    expect(input(element).value).to.equal('');
    expect(workingText(element)).to.equal('Connecting…');
    sendStart(chat.last, 'There ', 'were ');
    await eventually(() => answerOf(element) === 'There were');
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, '**3,211**'));
    await eventually(() => answerOf(element) === 'There were 3,211');
    expect(workingText(element)).to.equal('');
    sendEnd(chat.last, 'There were **3,211**.');
    await eventually(() => textOf(turns(element)[0]?.querySelector('strong')) === '3,211');
    await eventually(() => button(element, 'Send'));
    expect(turns(element)[0]?.querySelector('.ending')).to.equal(null);
  });

  it('keeps the DOM nodes of growing and completed answers', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'First');
    sendStart(chat.last, 'One.\n\n', 'Two');
    await eventually(() => turns(element)[0]?.querySelector('.text > p + p'));
    const [first, second] = turns(element)[0]?.querySelectorAll('.text > p') ?? [];
    chat.last.send(piece(`${chat.last.ask.messageId}.1`, ' and more'));
    await eventually(() => textOf(second) === 'Two and more');
    sendEnd(chat.last, 'One.\n\nTwo and more');
    await eventually(() => button(element, 'Send'));
    let updates = 0;
    new MutationObserver(() => (updates += 1)).observe(turns(element)[0] as Node, { childList: true, subtree: true });
    await ask(page, 'Second');
    sendStart(chat.last, 'Three');
    await eventually(() => answerOf(element) === 'Three');
    expect(first?.isConnected && second?.isConnected).to.equal(true);
    expect(updates).to.equal(0);
  });

  it('stops an answer through the service and shows that it was stopped', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'A long one');
    sendStart(chat.last, 'It ');
    await eventually(() => button(element, 'Stop') && answerOf(element) === 'It');
    button(element, 'Stop')?.click();
    await eventually(() => chat.aborted.length === 1);
    chat.last.send({ id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'Stopped.' }, usage);
    chat.last.end();
    await eventually(() => endingText(element).startsWith('You stopped this answer.'));
    expect(answerOf(element)).to.equal('It');
    expect(button(element, 'Send')).to.exist;
  });

  it('shows that stopping failed', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    chat.stopError = new PaError('server_failed', 'No.', { status: 500 });
    await ask(page, 'A long one');
    sendStart(chat.last, 'It ');
    await eventually(() => answerOf(element) === 'It');
    button(element, 'Stop')?.click();
    await eventually(() => textOf(within(element, '.note')) === 'The answer could not be stopped. Try again.');
    expect(button(element, 'Stop')).to.exist;
  });

  it('marks truncated answers, including in loaded threads', async () => {
    const frames = threadFrames(2).map((frame, index) =>
      index === 3 ? { ...frame, finishReason: 'length' as const } : frame,
    );
    const { element } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(frames);
    });
    await eventually(() => endingText(element) === 'This answer was cut off: it reached a limit.');
    expect(turns(element)[0]?.querySelector('.ending')).to.equal(null);
  });

  it('fires one event per completed tool call', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    const heard: unknown[] = [];
    element.addEventListener('pa-chat-tool', event => heard.push(event.detail));
    await ask(page, 'How many?');
    sendStart(chat.last);
    chat.last.send(tool('s1', 'lookUp'));
    chat.last.send(tool('s1', 'lookUp', { found: 1 }), tool('s2', 'other', { error: 'No.' }));
    sendEnd(chat.last, 'Seven.');
    await eventually(() => answerOf(element) === 'Seven.');
    expect(heard).to.deep.equal([
      { name: 'lookUp', stepId: 's1', status: 'done', input: { query: {} }, result: { found: 1 } },
      { name: 'other', stepId: 's2', status: 'failed', input: { query: {} }, result: { error: 'No.' } },
    ]);
  });

  it('lets the host open a result as a report', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    const heard: unknown[] = [];
    element.addEventListener('pa-chat-open-report', event => {
      heard.push(event.detail);
      event.preventDefault();
    });
    await ask(page, 'How many?');
    const query = { measures: ['orders.count'] };
    const schema = [{ name: 'orders.count', column_type: 'Int64' }];
    sendStart(chat.last);
    chat.last.send(tool('s1', 'dataQuery', { queryTitle: 'Orders', query, schema, data: [['3']], totalRows: 1 }));
    sendEnd(chat.last, 'Three.');
    const result = () => turns(element)[0]?.querySelector('pa-chat-step')?.shadowRoot?.querySelector('pa-chat-result');
    const open = () =>
      [...(result()?.shadowRoot?.querySelectorAll('button') ?? [])].find(found => textOf(found) === 'Open as report');
    await eventually(open);
    open()?.click();
    const report = { id: 0, reportId: 0, versionNumber: 1, title: 'Orders', kind: 'table', meta: { jsonQuery: query } };
    expect(heard).to.deep.equal([{ report, threadId: 'thread-1', stepId: 's1' }]);
    expect(result()?.shadowRoot?.querySelector('pa-chat-report')).to.equal(null);
  });

  it('rates, copies and shows the usage of an answer', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last);
    sendEnd(chat.last, '**Seven**.');
    await eventually(() => button(element, 'Good answer'));
    const rated = oneEvent(element, 'pa-chat-feedback');
    button(element, 'Good answer')?.click();
    const { detail } = (await rated) as HTMLElementEventMap['pa-chat-feedback'];
    expect(detail).to.deep.equal({ threadId: 'thread-1', messageId: chat.last.ask.messageId, rating: 'up' });
    await eventually(() => button(element, 'Good answer')?.getAttribute('aria-pressed') === 'true');
    expect(chat.rated).to.deep.equal([['thread-1', chat.last.ask.messageId, { rating: 'up' }]]);
    button(element, 'Show usage')?.click();
    await eventually(() => textOf(turns(element)[0]?.querySelector('.usage')).startsWith('15 tokens (10 in, 5 out)'));
  });

  it('shows the stored rating of a thread that is opened, and removes it if it is selected again', async () => {
    const frames = threadFrames(1).map(frame =>
      frame.role === 'user' ? { ...frame, feedback: { rating: 'down' as const } } : frame,
    );
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(frames);
    });
    const isPressed = (name: string) => button(element, name)?.getAttribute('aria-pressed') === 'true';
    await eventually(() => isPressed('Bad answer'));
    button(element, 'Bad answer')?.click();
    await eventually(() => chat.rated.length === 1 && !isPressed('Bad answer'));
    expect(chat.rated).to.deep.equal([['t-1', frames[0]?.id, null]]);
  });

  it('restores the stored rating and says so if a rating cannot be stored', async () => {
    let failing = Promise.reject(new PaError('server_failed', 'No.', { status: 500 }));
    failing.catch(() => {});
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(1));
      fake.onRate = () => failing;
    });
    const isPressed = (name: string) => button(element, name)?.getAttribute('aria-pressed') === 'true';
    const note = () => textOf(turns(element)[0]?.querySelector('.note'));
    await eventually(() => button(element, 'Good answer'));
    const failed = oneEvent(element, 'pa-chat-error');
    button(element, 'Good answer')?.click();
    const { detail } = (await failed) as HTMLElementEventMap['pa-chat-error'];
    expect(detail).to.deep.include({ code: 'server_failed', status: 500 });
    await eventually(() => note() === 'The rating could not be saved. Try again.');
    expect(statusText(element)).to.equal('The rating could not be saved. Try again.');
    expect(isPressed('Good answer')).to.equal(false);
    failing = Promise.resolve() as Promise<never>;
    button(element, 'Bad answer')?.click();
    await eventually(() => chat.rated.length === 1 && isPressed('Bad answer') && note() === '');
  });

  it('stores a comment with the rating, and keeps its text if that fails', async () => {
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(threadFrames(1));
    });
    const heard: unknown[] = [];
    element.addEventListener('pa-chat-feedback', ({ detail }) => heard.push([detail.rating, detail.comment]));
    const form = () => turns(element)[0]?.querySelector('pa-chat-comment')?.shadowRoot;
    const area = () => form()?.querySelector('textarea');
    const save = () => form()?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
    await eventually(() => button(element, 'Good answer'));
    expect(button(element, 'Write a comment')).to.equal(null);
    button(element, 'Good answer')?.click();
    await eventually(() => button(element, 'Write a comment'));
    button(element, 'Write a comment')?.click();
    await eventually(area);
    chat.onRate = () => Promise.reject(new PaError('server_failed', 'No.', { status: 500 }));
    Object.assign(area() ?? {}, { value: ' Very clear. ' });
    save();
    await eventually(() => turns(element)[0]?.querySelector('.note'));
    expect(area()?.value).to.equal(' Very clear. ');
    chat.onRate = async () => {};
    save();
    await eventually(() => !form());
    const comment = { rating: 'up', comment: 'Very clear.' };
    expect(chat.rated.map(([, , feedback]) => feedback)).to.deep.equal([{ rating: 'up' }, comment]);
    expect(heard).to.deep.equal([
      ['up', undefined],
      ['up', 'Very clear.'],
      ['up', 'Very clear.'],
    ]);
    button(element, 'Bad answer')?.click();
    await eventually(() => chat.rated.length === 3);
    expect(chat.rated[2]?.[2]).to.deep.equal({ ...comment, rating: 'down' });
    button(element, 'Write a comment')?.click();
    await eventually(() => area()?.value === 'Very clear.');
    press(area() as Element, 'Escape');
    await eventually(() => !form());
    expect(transcript(element)?.shadowRoot?.activeElement).to.equal(button(element, 'Write a comment'));
  });

  it('renders user, agent and tool content as text', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    await ask(page, hostile);
    sendStart(chat.last, hostile, '\n\n[link](javascript:alert(1)) ![pic](https://evil.example/a.png)');
    chat.last.send({ error: hostile }, usage);
    chat.last.end();
    await eventually(() => endingText(element).includes('onerror'));
    expect(textOf(turns(element)[0]?.querySelector('.bubble'))).to.equal(hostile);
    expect(turns(element)[0]?.querySelectorAll('img, script, a[href^="javascript"]').length).to.equal(0);
    expect('hacked' in window).to.equal(false);
  });
});

describe('<pa-chat> sending', () => {
  it('fires a cancelable event before sending', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    const sent: (string | null)[] = [];
    element.addEventListener(
      'pa-chat-message',
      event => {
        sent.push(event.detail.text, event.detail.threadId);
        event.preventDefault();
      },
      { once: true },
    );
    write(element, ' How many? ');
    press(input(element), 'Enter');
    expect(sent).to.deep.equal(['How many?', null]);
    await nextFrame();
    expect(chat.streams.length).to.equal(0);
    expect(input(element).value).to.equal(' How many? ');
    expect(await element.send('')).to.equal(false);
    expect(await element.send('x'.repeat(16_001))).to.equal(false);
  });

  it('sends from a method and resolves when the answer ends', async () => {
    const { element, chat } = await chatPage({}, fake => {
      fake.answers = stream => {
        sendStart(stream);
        sendEnd(stream, 'Done.');
      };
    });
    const heard: string[] = [];
    element.addEventListener('pa-chat-message', ({ detail }) => heard.push(detail.text));
    expect(await element.send('Hello')).to.equal(true);
    expect(heard).to.deep.equal(['Hello']);
    expect(chat.last.ask.input).to.equal('Hello');
    await eventually(() => answerOf(element) === 'Done.');
  });

  it('lists host suggestions before service suggestions and sends the selected one', async () => {
    const { element, chat } = await chatPage({ suggestions: ['Host’s', 'Both'] }, fake => {
      fake.suggested = ['Both', 'Service’s'];
    });
    const chips = () => [...element.renderRoot.querySelectorAll('.suggestions button')];
    await eventually(() => chips().length === 3);
    expect(chips().map(textOf)).to.deep.equal(['Host’s', 'Both', 'Service’s']);
    button(element, 'Service’s')?.click();
    await eventually(() => chat.streams.length === 1);
    expect(chat.last.ask.input).to.equal('Service’s');
    await eventually(() => chips().length === 0);
  });

  it('shows the replies that the last answer offers, instead of its step', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    const chips = () => [...element.renderRoot.querySelectorAll('.suggestions button')];
    await ask(page, 'Orders in Vienna');
    sendStart(chat.last);
    chat.last.send(tool('s1', 'suggestReplies', { replies: ['The city', 'The brand', 7, ' ', 'x'.repeat(80)] }));
    expect(chips()).to.have.length(0);
    sendEnd(chat.last, 'Which one?');
    await eventually(() => chips().length === 3);
    expect(chips().map(textOf)).to.deep.equal(['The city', 'The brand', 'x'.repeat(80)]);
    element.style.width = '360px';
    const list = within(element, '.suggestions');
    expect(list?.scrollWidth).to.equal(list?.clientWidth);
    expect(turns(element).at(-1)?.querySelector('pa-chat-step')).to.equal(null);
    button(element, 'The brand')?.click();
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask.input).to.equal('The brand');
    await eventually(() => chips().length === 0);
  });

  it('moves a message back into the composer', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last);
    sendEnd(chat.last, 'Seven.');
    await eventually(() => button(element, 'Edit and resend'));
    button(element, 'Edit and resend')?.click();
    expect(input(element).value).to.equal('How many?');
    expect(
      composer(element)?.renderRoot instanceof ShadowRoot && composer(element)?.shadowRoot?.activeElement,
    ).to.equal(input(element));
  });
});

describe('<pa-chat> failures and retries', () => {
  it('resumes a lost connection under the same message ID and shows the answer once', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'There ');
    await eventually(() => answerOf(element) === 'There');
    const { messageId } = chat.last.ask;
    chat.last.cut();
    await eventually(() => workingText(element) === 'Reconnecting…');
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask.messageId).to.equal(messageId);
    sendStart(chat.last, 'There ', 'were 7');
    await eventually(() => answerOf(element) === 'There were 7');
    sendEnd(chat.last, 'There were 7.');
    await eventually(() => button(element, 'Send'));
    expect(turns(element).length).to.equal(1);
    expect(endingText(element)).to.equal('');
  });

  it('shows a failure in its turn and retries the question', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    const failing = oneEvent(element, 'pa-chat-error');
    await ask(page, 'How many?');
    const { messageId } = chat.last.ask;
    chat.last.fail(new PaError('bad_request', 'No.', { status: 400, requestId: 'r-1' }));
    const { detail } = (await failing) as HTMLElementEventMap['pa-chat-error'];
    expect(detail).to.deep.equal({ code: 'bad_request', message: 'No.', status: 400, requestId: 'r-1' });
    await eventually(
      () => endingText(element) === 'This message can’t be sent. Change the message or start a new chat.',
    );
    button(element, 'Retry')?.click();
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask).to.deep.include({ messageId, input: 'How many?' });
    await eventually(() => endingText(element) === '');
    sendStart(chat.last);
    sendEnd(chat.last, 'Seven.');
    await eventually(() => answerOf(element) === 'Seven.');
    expect(turns(element).length).to.equal(1);
  });

  it('shows the service error of a failed answer and retries with a new message', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'Let me');
    chat.last.send({ error: 'The model is tired.' }, usage);
    chat.last.end();
    await eventually(() => endingText(element) === 'This answer failed. The model is tired.');
    const { messageId } = chat.last.ask;
    button(element, 'Retry')?.click();
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask.input).to.equal('How many?');
    expect(chat.last.ask.messageId).not.to.equal(messageId);
  });
});

describe('<pa-chat> threads', () => {
  it('starts a thread without an ID and continues with the ID from the service', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'First');
    expect(chat.last.ask.chatId).to.equal(undefined);
    sendStart(chat.last);
    sendEnd(chat.last, 'One.');
    await eventually(() => element.threadId === 'thread-1');
    expect(element.getAttribute('thread-id')).to.equal('thread-1');
    await eventually(() => button(element, 'Send'));
    await ask(page, 'Second');
    expect(chat.last.ask.chatId).to.equal('thread-1');
  });

  it('resumes a suspended answer of a loaded thread', async () => {
    const frames = threadFrames(1).map(({ finishReason: _, ...frame }) => frame);
    const id = frames[0]?.id ?? '';
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(frames, { isStreaming: false, suspended: { messageId: id } });
    });
    await eventually(() => endingText(element) === 'This answer was interrupted. You can resume it.');
    button(element, 'Resume')?.click();
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask).to.deep.include({ chatId: 't-1', messageId: id });
    expect(chat.last.ask.input).to.equal(undefined);
  });

  it('offers Retry instead of Resume if an answer can no longer be resumed', async () => {
    const frames = threadFrames(1).map((frame, index) =>
      index === 1 ? { ...frame, finishReason: 'suspended' as const } : frame,
    );
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(frames);
    });
    await eventually(() => endingText(element) === 'This answer was cut off: the connection was lost.');
    expect(button(element, 'Resume')).to.equal(null);
    button(element, 'Retry')?.click();
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask.input).to.equal(frames[0]?.content);
    expect(chat.last.ask.messageId).not.to.equal(frames[0]?.id);
  });

  it('joins a running answer when it loads a thread', async () => {
    const frames = threadFrames(2).slice(0, 3);
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = answerWithThread(frames, { isStreaming: true });
    });
    await eventually(() => chat.streams.length === 2);
    expect(chat.last.ask.messageId).to.equal(frames[2]?.id);
    chat.last.send(...frames, { id: '__cutoff__', role: 'assistant', state: { chatId: 't-1', isStreaming: true } });
    chat.last.send(piece('x', 'Still '));
    await eventually(() => answerOf(element) === 'Still');
    expect(button(element, 'Stop')).to.exist;
  });

  it('shows a thread load error and retries', async () => {
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = stream => stream.fail(new PaError('not_found', 'No such thread.', { status: 404 }));
    });
    await eventually(() => textOf(within(element, '.notice .title')) === 'Chat not found');
    chat.answers = answerWithThread(threadFrames(1));
    button(element, 'Retry')?.click();
    await eventually(() => answerOf(element) === 'Answer 0.');
    expect(within(element, '.notice')).to.equal(null);
  });

  it('opens another thread and a new thread', async () => {
    const { element, chat } = await chatPage({ threadId: 't-1' }, fake => {
      fake.answers = stream => answerWithThread(threadFrames(stream.ask.chatId === 't-1' ? 1 : 2))(stream);
    });
    await eventually(() => turns(element).length === 1);
    element.openThread('t-2');
    await eventually(() => turns(element).length === 2);
    expect(element.threadId).to.equal('t-2');
    element.threadId = 't-1';
    await eventually(() => turns(element).length === 1);
    element.newThread();
    await eventually(() => turns(element).length === 0);
    await eventually(() => element.threadId === null);
    await ask({ element, chat }, 'Again');
    expect(chat.last.ask.chatId).to.equal(undefined);
  });

  it('leaves an answer running when another thread opens', async () => {
    const page = await chatPage();
    const { element, chat } = page;
    await ask(page, 'How many?');
    sendStart(chat.last, 'There ');
    await eventually(() => answerOf(element) === 'There');
    const left = chat.last;
    element.newThread();
    await eventually(() => left.signal?.aborted);
    expect(chat.aborted).to.deep.equal([]);
    left.send(piece(`${left.ask.messageId}.1`, 'were 7'));
    await nextFrame();
    expect(turns(element).length).to.equal(0);
    expect(button(element, 'Send')).to.exist;
  });
});
