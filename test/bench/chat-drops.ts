import { isDeepStrictEqual } from 'node:util';
import type { ChatFrame } from '../../src/contract/chat.js';
import type { Read, Received } from './chat-streams.js';

/**
 * What is wrong with a turn that was read over connections that broke off, in a few words; null where nothing is. Events may come once
 * and in order alone, no piece of a text may be missing where none was joined, and a reader has in the end what one has who was never
 * disturbed.
 */
export function findFault(torn: readonly Read[], whole: Read): string | null {
  const numbers = torn.flatMap(({ events }) => events.flatMap(({ id }) => (id === null ? [] : [numberOf(id)])));
  if (numbers.some((number, place) => number === 0 || number <= (numbers[place - 1] ?? 0))) return 'not in order';
  const events = torn.flatMap(read => read.events);
  const message = new Message();
  for (const event of events) {
    if (message.lacks(event)) return `a piece is missing before ${event.id}`;
    message.add(event);
  }
  const expected = new Message();
  for (const event of whole.events) expected.add(event);
  if (!isDeepStrictEqual(message.parts, expected.parts)) return 'another answer than that of an undisturbed reader';
  const ends = [events, whole.events].map(read => read.filter(({ frame }) => frame.id === '__usage__').length);
  return ends.every(count => count === 1) ? null : 'not one end';
}

/** Of `<messageId>:<number>`; 0 begins anew. */
function numberOf(id: string): number {
  return Number(id.split(':').at(-1));
}

type Part = Omit<ChatFrame, 'createdAt'>;

/** What a reader makes of the frames of a turn: a piece is appended, any other frame replaces. */
class Message {
  readonly #parts = new Map<string, Part>();
  #last = 0;

  /** By id, in the order of the thread. */
  get parts(): readonly Part[] {
    return [...this.#parts.values()].toSorted((a, b) => (a.sort ?? 0) - (b.sort ?? 0));
  }

  /** True of the whole of a text that isn't its pieces, though no number was left out between. */
  lacks({ id, frame }: Received): boolean {
    const known = this.#parts.get(frame.id ?? '');
    if (id === null || numberOf(id) !== this.#last + 1 || frame.isDelta || !known?.isDelta) return false;
    return known.content !== frame.content;
  }

  add({ id, frame }: Received): void {
    if (id !== null) this.#last = numberOf(id);
    // Said of a stream, not of the turn.
    if (frame.id === undefined || frame.id === '__cutoff__') return;
    const known = frame.isDelta ? this.#parts.get(frame.id) : undefined;
    const { createdAt: _, ...part } = frame;
    this.#parts.set(frame.id, { ...part, content: (known?.content ?? '') + (frame.content ?? '') });
  }
}
