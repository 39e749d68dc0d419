import { describe, expect, it } from 'vitest';
import { emptyConversation } from '../../../src/client/chat/conversation.js';
import { reduceFrames } from '../../../src/client/chat/reduce.js';
import { PaError } from '../../../src/client/errors.js';
import type { ChatFrame } from '../../../src/contract/chat.js';
import { grownTurn, readOffer } from '../../../src/controllers/chat/chat-services.js';
import { cutoff, echo, piece, tool, turnFrames, usage, whole } from '../../client/chat/fake-chat.js';
import { FakeChat } from '../../elements/chat/fake-chat-service.js';

describe('readOffer', () => {
  it('returns what the agent offers', async () => {
    const chat = new FakeChat();
    chat.suggested = ['How many?'];
    expect(await readOffer(chat)).toEqual({ suggestions: ['How many?'], hasThreads: false });
    chat.list = [];
    expect(await readOffer(chat)).toEqual({ suggestions: ['How many?'], hasThreads: true });
  });

  it('ignores errors, and assumes that the service has a list of threads', async () => {
    const chat = Object.assign(new FakeChat(), { threads: () => Promise.reject(new Error('no')) });
    chat.suggested = new PaError('server_failed', 'No.', { status: 500 });
    expect(await readOffer(chat)).toEqual({ suggestions: [], hasThreads: true });
  });

  it('fails if the caller may not chat', async () => {
    const chat = new FakeChat();
    chat.suggested = new PaError('not_allowed', 'AI is off.', { status: 403 });
    await expect(readOffer(chat)).rejects.toBe(chat.suggested);
  });
});

const id = '1750000000000-message';
const begun = reduceFrames(emptyConversation, [
  ...turnFrames('1740000000000-message', 'Before'),
  cutoff(),
  echo(id, 'How many?'),
  piece('a', 'There '),
]);
const changed = (...frames: readonly ChatFrame[]) => {
  const now = reduceFrames(begun, frames);
  return { now, grown: grownTurn(begun, now) };
};

describe('grownTurn', () => {
  it('returns the last turn if only its last text has grown', () => {
    const { now, grown } = changed(piece('a', 'were '));
    expect(grown).toBe(now.turns.at(-1));
    expect(grown?.parts.at(-1)).toMatchObject({ content: 'There were ' });
  });

  it.each([
    ['nothing', []],
    ['a complete text', [whole('a', 'There were 7.')]],
    ['the end of the turn', [whole('a', 'There were 7.', { finishReason: 'stop' })]],
    ['another text', [piece('b', 'And ')]],
    ['a step', [tool('s', 'dataQuery')]],
    ['its first reasoning', [{ ...piece('a', ''), thinking: 'Hm.' }]],
    ['another message', [echo('1760000000000-message', 'And now?')]],
    ['usage', [usage]],
  ] satisfies [string, ChatFrame[]][])('is null for %s', (_, frames) => {
    expect(changed(...frames).grown).toBeNull();
  });

  it('is null for another thread', () => {
    expect(grownTurn(begun, emptyConversation)).toBeNull();
    expect(grownTurn(emptyConversation, begun)).toBeNull();
  });
});
