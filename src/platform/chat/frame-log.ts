import type { ChatFrame } from '../../contract/chat.js';

/** A frame and its position in the log. Positions increase. */
export interface LogEntry {
  readonly place: number;
  readonly frame: ChatFrame;
}

/** Limits of the text deltas that a log stores individually. */
export interface FrameLogOptions {
  /** The position before the first entry. */
  readonly start: number;
  readonly loosePieces: number;
  readonly looseCharacters: number;
}

/**
 * The frames of a run, for any number of readers. The only state of a reader is its position. When the text deltas
 * exceed a limit, they are merged into one frame with the text so far, which replaces the text that a reader has. The
 * merged frame has the position of its last delta: readers that have received only some of the deltas get it; readers
 * that have received all of them do not. The frames after any position are therefore complete, no matter how often
 * deltas are merged.
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

  /** Approximate number of characters of all frames. */
  get size(): number {
    return this.#entries.reduce((sum, { frame }) => sum + sizeOf(frame), 0);
  }

  /** True if a position belongs to this log. */
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

  /** Ends the log. No frames follow. */
  end(): void {
    this.#isEnded = true;
    this.compact();
    this.#wake();
  }

  /** Merges the deltas of each text block. */
  compact(): void {
    if (this.#pieces === 0) return;
    this.#entries = compactEntries(this.#entries);
    this.#pieces = 0;
    this.#characters = 0;
  }

  /** Returns all frames so far. The deltas of each text block are merged into one frame. */
  snapshot(): readonly ChatFrame[] {
    this.compact();
    return this.#entries.map(({ frame }) => frame);
  }

  /** Returns the frames after a position as they arrive. Ends with the log or when the signal aborts. */
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

function compactEntries(entries: readonly LogEntry[]): LogEntry[] {
  const texts = new Map<string, Text>();
  const rest: LogEntry[] = [];
  for (const entry of entries) {
    const { id, content, thinking, isDelta, toolCall } = entry.frame;
    // Both frames of a tool call are retained. They are small, and the first one determines the position of the call
    // among the text blocks.
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
  return [...rest, ...[...texts.values()].map(joinDeltas)].sort((a, b) => a.place - b.place);
}

function joinDeltas({ entry, content, thinking }: Text): LogEntry {
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
  const stateSize = state ? JSON.stringify(state).length : 0;
  return (
    stateSize + content.length + thinking.length + (toolCall?.input?.length ?? 0) + (toolCall?.result?.length ?? 0)
  );
}
