import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatStep } from '../../../src/client/chat/conversation.js';
import { PaError } from '../../../src/client/errors.js';
import { ChatStatus } from '../../../src/controllers/chat/chat-status.js';
import { OpenThread } from '../../../src/controllers/chat/chat-thread.js';
import type { Problem } from '../../../src/controllers/problem.js';
import { cutoff, echo, piece, tool, usage } from '../../client/chat/fake-chat.js';
import { answerWithThread, FakeChat, sendEnd, sendStart, threadFrames } from '../../elements/chat/fake-chat-service.js';
import { eventually } from '../../eventually.js';

function setting(chatId: string | null = null) {
  const chat = new FakeChat();
  const statuses: ChatStatus[] = [];
  const steps: ChatStep[] = [];
  const problems: Problem[] = [];
  const thread: OpenThread = new OpenThread(chat, chatId, {
    onFrames: () => {},
    onChange: () => {
      if (statuses.at(-1) !== thread.status) statuses.push(thread.status);
    },
    onTool: step => steps.push(step),
    onProblem: problem => problems.push(problem),
  });
  return { chat, thread, statuses, steps, problems };
}

const lastOf = (thread: OpenThread) => thread.conversation.turns.at(-1);

describe('OpenThread', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('follows a message to the end of its answer', async () => {
    const { chat, thread, statuses } = setting();
    const sending = thread.send('How many?', []);
    expect(lastOf(thread)).toMatchObject({ prompt: { content: 'How many?' }, end: null });
    sendStart(chat.last, 'There ');
    sendEnd(chat.last, 'There were 7.');
    await sending;
    expect(statuses).toEqual([ChatStatus.connecting, ChatStatus.streaming, ChatStatus.idle]);
    expect(lastOf(thread)?.end).toBe('stop');
    expect(thread.chatId).toBe('thread-1');
  });

  it('runs one operation at a time', async () => {
    const { chat, thread } = setting();
    const first = thread.send('One', []);
    await thread.send('Two', []);
    await thread.resume();
    expect(chat.streams.length).toBe(1);
    sendStart(chat.last);
    sendEnd(chat.last, 'Done.');
    await first;
  });

  it('ends an answer that fails at the start, and sends the same message again', async () => {
    const { chat, thread, problems } = setting();
    const sending = thread.send('How many?', []);
    const { messageId } = chat.last.ask;
    chat.last.fail(new PaError('conflict', 'Wait.', { status: 409 }));
    await sending;
    expect(lastOf(thread)?.end).toBe('failed');
    expect(thread.problem).toMatchObject({ code: 'conflict', status: 409 });
    expect(problems).toEqual([thread.problem]);
    const again = thread.resume();
    expect(chat.last.ask).toMatchObject({ messageId, input: 'How many?' });
    expect(thread.problem).toBeNull();
    sendStart(chat.last);
    sendEnd(chat.last, 'Seven.');
    await again;
    expect(thread.conversation.turns.length).toBe(1);
  });

  it('sends the message of a lost answer again in a new thread if the service lost the thread', async () => {
    const { chat, thread, problems } = setting();
    const lost = new PaError('not_found', 'No.', { status: 404 });
    const sending = thread.send('How many?', []);
    sendStart(chat.last, 'There ');
    chat.last.cut();
    await vi.advanceTimersByTimeAsync(60_000);
    chat.last.fail(lost);
    await sending;
    expect(lastOf(thread)?.end).toBe('failed');
    const again = thread.resume();
    expect(chat.last.ask).toMatchObject({ chatId: 'thread-1', input: 'How many?' });
    chat.last.fail(lost);
    await vi.advanceTimersByTimeAsync(0);
    expect(chat.last.ask.chatId).toBeUndefined();
    const { messageId } = chat.last.ask;
    chat.last.send(cutoff({ chatId: 'thread-2' }), echo(messageId ?? '', 'How many?'));
    sendEnd(chat.last, 'Seven.');
    await again;
    expect(problems).toHaveLength(1);
    expect(thread.chatId).toBe('thread-2');
    expect(thread.conversation.turns).toMatchObject([{ end: 'stop', parts: [{ content: 'Seven.' }] }]);
  });

  it('ends an answer if the stream ends without an end', async () => {
    const { chat, thread } = setting();
    const sending = thread.send('How many?', []);
    sendStart(chat.last, 'There ');
    chat.last.send(usage);
    chat.last.end();
    await sending;
    expect(lastOf(thread)?.end).not.toBeNull();
    expect(thread.status).toBe(ChatStatus.idle);
  });

  it('reads a thread and shows it when it is complete', async () => {
    const { chat, thread } = setting('t-1');
    thread.begin();
    expect(thread.status).toBe(ChatStatus.loading);
    const [stream] = chat.streams;
    stream?.send(...threadFrames(2));
    expect(thread.conversation.turns.length).toBe(0);
    if (stream) answerWithThread(threadFrames(2))(stream);
    await eventually(() => expect(thread.status).toBe(ChatStatus.idle));
    expect(thread.conversation.turns.length).toBe(2);
  });

  it('can be retried after a read error', async () => {
    const { chat, thread } = setting('t-1');
    thread.begin();
    chat.last.fail(new PaError('not_found', 'No.', { status: 404 }));
    await eventually(() => expect(thread.problem?.kind).toBe('missing'));
    thread.begin();
    expect(chat.streams.length).toBe(1);
    thread.retry();
    expect(chat.streams.length).toBe(2);
    expect(thread.chatId).toBe('t-1');
  });

  it('resumes an abandoned answer, and reads a thread that was not read before', async () => {
    const { chat, thread } = setting();
    void thread.send('How many?', []);
    sendStart(chat.last, 'There ');
    thread.leave();
    expect(chat.last.signal?.aborted).toBe(true);
    expect(thread.status).toBe(ChatStatus.idle);
    thread.begin();
    expect(chat.streams.length).toBe(2);
    expect(chat.last.ask).toMatchObject({ chatId: 'thread-1' });
    thread.leave();

    const unread = setting('t-1');
    unread.thread.begin();
    unread.thread.leave();
    unread.thread.begin();
    expect(unread.chat.streams.length).toBe(2);
  });

  it('ignores events of an abandoned operation', async () => {
    const { chat, thread } = setting();
    void thread.send('How many?', []);
    const left = chat.last;
    sendStart(left, 'There ');
    thread.leave();
    const before = thread.conversation;
    left.send(piece(`${left.ask.messageId}.1`, 'were 7'));
    expect(thread.conversation).toBe(before);
  });

  it('reports tools that finish during an answer, and not earlier ones', async () => {
    const { chat, thread, steps } = setting();
    void thread.send('How many?', []);
    sendStart(chat.last);
    chat.last.send(tool('s1', 'dataQuery'), tool('s1', 'dataQuery', { data: [] }));
    chat.last.send(tool('s1', 'dataQuery', { data: [] }));
    expect(steps.map(({ id, status }) => [id, status])).toEqual([['s1', 'done']]);
    thread.leave();
    thread.begin();
    sendStart(chat.last);
    chat.last.send(tool('s1', 'dataQuery', { data: [] }), tool('s2', 'modelMeta', { error: 'No.' }));
    expect(steps.map(({ id, status }) => [id, status])).toEqual([
      ['s1', 'done'],
      ['s2', 'failed'],
    ]);
    thread.leave();
  });

  it('reports an answer that the service marks as failed', async () => {
    const { chat, thread, problems } = setting();
    void thread.send('How many?', []);
    await vi.advanceTimersByTimeAsync(0);
    sendStart(chat.last, 'Let me');
    chat.last.send({ error: 'The model is tired.' }, usage);
    chat.last.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(problems).toMatchObject([{ code: 'server_failed', message: 'The model is tired.' }]);
    expect(thread.problem).toBe(null);
  });
});
