import { describe, expect, it } from 'vitest';
import { PaError } from '../../src/client/errors.js';
import { readOffer } from '../../src/controllers/chat-agent.js';
import { FakeChat } from '../elements/chat/fake-chat-service.js';

describe('readOffer', () => {
  it('tells what there is', async () => {
    const chat = new FakeChat();
    chat.suggested = ['How many?'];
    expect(await readOffer(chat)).toEqual({ suggestions: ['How many?'], hasThreads: false });
    chat.list = [];
    expect(await readOffer(chat)).toEqual({ suggestions: ['How many?'], hasThreads: true });
  });

  it('does without what can’t be read, and leaves a list to be tried again', async () => {
    const chat = Object.assign(new FakeChat(), { threads: () => Promise.reject(new Error('no')) });
    chat.suggested = new PaError('server_failed', 'No.', { status: 500 });
    expect(await readOffer(chat)).toEqual({ suggestions: [], hasThreads: true });
  });

  it('fails where the caller may not chat', async () => {
    const chat = new FakeChat();
    chat.suggested = new PaError('not_allowed', 'AI is off.', { status: 403 });
    await expect(readOffer(chat)).rejects.toBe(chat.suggested);
  });
});
