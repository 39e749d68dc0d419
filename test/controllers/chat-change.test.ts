import { describe, expect, it } from 'vitest';
import { emptyConversation } from '../../src/client/chat/conversation.js';
import { reduceFrames } from '../../src/client/chat/reduce.js';
import type { ChatFrame } from '../../src/contract/chat.js';
import { grownTurn } from '../../src/controllers/chat-change.js';
import { cutoff, echo, piece, tool, turnFrames, usage, whole } from '../client/chat/fake-chat.js';

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
  it('tells the last turn where its last text grew and nothing else', () => {
    const { now, grown } = changed(piece('a', 'were '));
    expect(grown).toBe(now.turns.at(-1));
    expect(grown?.parts.at(-1)).toMatchObject({ content: 'There were ' });
  });

  it.each([
    ['nothing', []],
    ['a text that is whole', [whole('a', 'There were 7.')]],
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
