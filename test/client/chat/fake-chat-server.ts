import type { ChatFrame } from '../../../src/contract/chat.js';
import {
  cutoff,
  encode,
  inChunks,
  type Placed,
  storedFrames,
  streamed,
  turnFrames,
  unplaced,
  usage,
  type Wire,
} from './fake-chat.js';

/** Behavior of the server for one stream request. */
export interface Fate {
  readonly type:
    | 'refused' // no connection at all
    | 'lost' // accepted, but never answered
    | 'cut' // the connection breaks
    | 'closed' // the response ends early, as if it were complete
    | 'suspended'
    | 'busy'; // 503
  /** Position of the cut, in thousandths of the bytes (of the frames if suspended). */
  readonly at: number;
  /** Thousandths of the frames that the run has produced in the meantime. */
  readonly ahead: number;
}

/** How a server replays what a reader may have missed. */
export type ReplayStyle =
  | 'after' // the message and its answer so far come after the cutoff
  | 'before' // the message and its answer so far come before the cutoff
  | 'forgetful'; // like `after`, but ignores event ids

interface FakeTurn {
  readonly messageId: string;
  readonly frames: readonly ChatFrame[];
  made: number;
}

interface Ask {
  readonly chatId?: string;
  readonly messageId?: string;
  readonly input?: string;
  readonly images?: unknown;
}

/** One request as the server received it. */
export interface SeenAsk {
  readonly url: string;
  readonly ask: Ask;
  readonly headers: Headers;
  readonly init: RequestInit;
}

/** A chat service behind `fetch` that can lose connections in every way. */
export class FakeChatServer {
  readonly seen: SeenAsk[] = [];
  readonly aborted: string[] = [];
  readonly threads = new Map<string, FakeTurn[]>();
  wire: Wire = 'sse';
  style: ReplayStyle = 'after';
  fates: Fate[] = [];
  chunks: readonly number[] = [37];

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = String(input);
    const ask: Ask = JSON.parse(String(init.body ?? '{}'));
    const headers = new Headers(init.headers);
    this.seen.push({ url, ask, headers, init });
    if (url.endsWith('/chat/abort')) {
      this.aborted.push(ask.chatId ?? '');
      return new Response(null, { status: 204 });
    }
    return this.#answer(ask, headers.get('last-event-id'));
  };

  /** Creates a thread with completed turns. */
  addThread(chatId: string, messages: readonly [string, string][]): void {
    const turns = messages.map(([messageId, input]) => {
      const frames = turnFrames(messageId, input);
      return { messageId, frames, made: frames.length };
    });
    this.threads.set(chatId, turns);
  }

  #answer(ask: Ask, lastEventId: string | null): Response {
    const fate = this.fates.shift();
    if (fate?.type === 'refused') throw new TypeError('Failed to fetch');
    if (fate?.type === 'busy') return Response.json({ message: 'Later.' }, { status: 503 });
    const [chatId, turn] = this.#turnOf(ask);
    const end = fate?.type === 'suspended' ? Math.floor((turn.frames.length * fate.at) / 1000) : turn.frames.length;
    const placed = this.#placed(chatId, turn, lastEventId, end);
    const tail = fate?.type === 'suspended' ? [suspended(turn), usage] : [usage];
    const bytes = encode(this.wire, [...placed, ...unplaced(tail)]);
    if (!fate || fate.type === 'suspended') {
      turn.made = end;
      return streamed(this.wire, inChunks(bytes, this.chunks));
    }
    turn.made = Math.max(turn.made, Math.floor((turn.frames.length * Math.max(fate.at, fate.ahead)) / 1000));
    if (fate.type === 'lost') throw new TypeError('Failed to fetch');
    const cut = bytes.slice(0, Math.floor((bytes.length * fate.at) / 1000));
    return streamed(this.wire, inChunks(cut, this.chunks), fate.type === 'cut' ? 'cut' : 'clean');
  }

  #turnOf({ chatId, messageId = '', input }: Ask): [string, FakeTurn] {
    for (const [id, turns] of this.threads) {
      const turn = turns.find(known => known.messageId === messageId);
      if (turn) return [id, turn];
    }
    const frames = turnFrames(messageId, input ?? 'no input');
    const turn = { messageId, frames, made: 0 };
    const id = chatId ?? `thread-${this.threads.size + 1}`;
    this.threads.set(id, [...(this.threads.get(id) ?? []), turn]);
    return [id, turn];
  }

  #placed(chatId: string, turn: FakeTurn, lastEventId: string | null, end: number): Placed[] {
    const place = (frame: ChatFrame, index: number): Placed => ({ id: `${turn.messageId}:${index + 1}`, frame });
    const mark = cutoff({ chatId, isStreaming: true });
    const known = this.style === 'forgetful' ? null : lastEventId;
    if (known !== null) {
      const after = Number(known.split(':')[1]);
      return [...unplaced([mark]), ...turn.frames.map(place).slice(after, end)];
    }
    const turns = this.threads.get(chatId) ?? [];
    const past = turns.filter(other => other !== turn).flatMap(other => storedFrames(other.frames));
    const made = Math.min(turn.made, end);
    const sentFrames = turn.frames.slice(0, made);
    // A frame that merges several frames has the position of the last of them.
    const soFar = storedFrames(sentFrames).map(frame =>
      place(
        frame,
        sentFrames.findLastIndex(({ id }) => id === frame.id),
      ),
    );
    const rest = turn.frames.map(place).slice(made, end);
    return this.style === 'before'
      ? [...unplaced(past), ...soFar.map(({ frame }) => ({ id: null, frame })), ...unplaced([mark]), ...rest]
      : [...unplaced([...past, mark]), ...soFar, ...rest];
  }
}

function suspended({ messageId }: FakeTurn): ChatFrame {
  return {
    id: '__suspended__',
    role: 'assistant',
    type: 'suspend',
    code: 'chat_suspended',
    retryable: true,
    messageId,
    error: 'Restart.',
  };
}
