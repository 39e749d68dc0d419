import type { ChatFrame } from '../../contract/chat.js';

/** A frame at its place in the log; places only grow. */
export interface LogEntry {
  readonly place: number;
  readonly frame: ChatFrame;
}

/** How many pieces of text are kept one by one. */
export interface FrameLogOptions {
  /** The first entry comes right behind it. */
  readonly start: number;
  readonly loosePieces: number;
  readonly looseCharacters: number;
}

/**
 * The frames of a run, for any number of readers, each of which is nothing but a place.
 *
 * Pieces of text beyond a bound are joined into one frame that holds the text so far and replaces what a reader has of it. Such a
 * frame stands at the place of the last piece in it: whoever has read any of them gets it, whoever has read all doesn't, so what
 * follows any place is whole, however often pieces were joined.
 */
export class FrameLog {
  readonly #options: FrameLogOptions;
  readonly #waiting = new Set<() => void>();
  #entries: LogEntry[] = [];
  #last: number;
  #pieces = 0;
  #characters = 0;
  #isEnded = false;

  constructor(options: FrameLogOptions) {
    this.#options = options;
    this.#last = options.start;
  }

  /** Characters of all frames, about. */
  get size(): number {
    return this.#entries.reduce((sum, { frame }) => sum + sizeOf(frame), 0);
  }

  /** True of a place that a reader of this log may have. */
  has(place: number): boolean {
    return place > this.#options.start && place <= this.#last;
  }

  append(frame: ChatFrame): void {
    this.#last += 1;
    this.#entries.push({ place: this.#last, frame });
    if (frame.isDelta) {
      this.#pieces += 1;
      this.#characters += sizeOf(frame);
      if (this.#pieces > this.#options.loosePieces || this.#characters > this.#options.looseCharacters) this.compact();
    }
    this.#wake();
  }

  /** Nothing follows. */
  end(): void {
    this.#isEnded = true;
    this.compact();
    this.#wake();
  }

  /** Joins the pieces of each text. */
  compact(): void {
    if (this.#pieces === 0) return;
    this.#entries = compacted(this.#entries);
    this.#pieces = 0;
    this.#characters = 0;
  }

  /** All frames so far, each text in one. */
  snapshot(): readonly ChatFrame[] {
    this.compact();
    return this.#entries.map(({ frame }) => frame);
  }

  /** What follows a place, as it comes; ends with the log, or when the signal is aborted. */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<LogEntry, void> {
    let place = after;
    while (!signal.aborted) {
      const entry = this.#next(place);
      if (entry) {
        place = entry.place;
        yield entry;
      } else if (this.#isEnded) return;
      else await this.#change(signal);
    }
  }

  #next(after: number): LogEntry | undefined {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.place ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    return this.#entries[low];
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const go = () => {
        this.#waiting.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', go);
    });
  }

  #wake(): void {
    for (const go of [...this.#waiting]) go();
  }
}

interface Text {
  entry: LogEntry;
  readonly content: string[];
  readonly thinking: string[];
}

function compacted(entries: readonly LogEntry[]): LogEntry[] {
  const texts = new Map<string, Text>();
  const rest: LogEntry[] = [];
  for (const entry of entries) {
    const { id, content, thinking, isDelta, toolCall } = entry.frame;
    // Calls keep both of their frames: they are small, and the first one says where the call stands among the texts.
    if (id === undefined || toolCall) {
      rest.push(entry);
      continue;
    }
    const known = isDelta ? texts.get(id) : undefined;
    const text = known ?? { entry, content: [], thinking: [] };
    text.entry = entry;
    if (content !== undefined) text.content.push(content);
    if (thinking !== undefined) text.thinking.push(thinking);
    texts.set(id, text);
  }
  return [...rest, ...[...texts.values()].map(joined)].sort((a, b) => a.place - b.place);
}

function joined({ entry, content, thinking }: Text): LogEntry {
  if (!entry.frame.isDelta) return entry;
  const frame: ChatFrame = {
    ...entry.frame,
    isDelta: false,
    content: content.join(''),
    ...(thinking.length > 0 && { thinking: thinking.join('') }),
  };
  return { place: entry.place, frame };
}

function sizeOf({ content = '', thinking = '', toolCall, state }: ChatFrame): number {
  const told = state ? JSON.stringify(state).length : 0;
  return told + content.length + thinking.length + (toolCall?.input?.length ?? 0) + (toolCall?.result?.length ?? 0);
}
