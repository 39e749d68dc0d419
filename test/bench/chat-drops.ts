import { isDeepStrictEqual } from 'node:util';
import type { ChatFrame } from '../../src/contract/chat.js';
import type { Read, Received } from './chat-streams.js';

/**
 * Returns the fault of a turn that was read over dropped connections, or `null`. Events must arrive once and in order.
 * A piece of a text may be missing only if pieces were merged. The result must equal that of an uninterrupted stream.
 */
export function findFault(torn: readonly Read[], whole: Read): string | null {
  const numbers = torn.flatMap(({ events }) => events.flatMap(({ id }) => (id === null ? [] : [numberOf(id)])));
  if (numbers.some((number, place) => number === 0 || number <= (numbers[place - 1] ?? 0)))
    return 'events out of order';
  const events = torn.flatMap(read => read.events);
  const message = new Message();
  for (const event of events) {
    if (message.lacks(event)) return `missing piece before ${event.id}`;
    message.add(event);
  }
  const expected = new Message();
  for (const event of whole.events) expected.add(event);
  if (!isDeepStrictEqual(message.parts, expected.parts)) return 'different from an uninterrupted stream';
  const ends = [events, whole.events].map(read => read.filter(({ frame }) => frame.id === '__usage__').length);
  return ends.every(count => count === 1) ? null : 'not exactly one end';
}

/**
 * Returns the number from an id of the form `<messageId>:<number>`. The frame with the number 0 replaces the content.
 */
function numberOf(id: string): number {
  return Number(id.split(':').at(-1));
}

type Part = Omit<ChatFrame, 'createdAt'>;

/** Applies the frames of a turn as a client does. Pieces are appended to the content; other frames replace it. */
class Message {
  readonly #parts = new Map<string, Part>();
  #last = 0;

  /** The parts, in thread order. */
  get parts(): readonly Part[] {
    return [...this.#parts.values()].toSorted((a, b) => (a.sort ?? 0) - (b.sort ?? 0));
  }

  /** Returns true if a complete text differs from its pieces although no number is missing. */
  lacks({ id, frame }: Received): boolean {
    const known = this.#parts.get(frame.id ?? '');
    if (id === null || numberOf(id) !== this.#last + 1 || frame.isDelta || !known?.isDelta) return false;
    return known.content !== frame.content;
  }

  add({ id, frame }: Received): void {
    if (id !== null) this.#last = numberOf(id);
    // Such a frame belongs to the stream, not to the turn.
    if (frame.id === undefined || frame.id === '__cutoff__') return;
    const known = frame.isDelta ? this.#parts.get(frame.id) : undefined;
    const { createdAt: _, ...part } = frame;
    this.#parts.set(frame.id, { ...part, content: (known?.content ?? '') + (frame.content ?? '') });
  }
}
