import { unreadProblem } from '../answer-body.js';

/** Where the rest of a body comes from. */
export interface BodySource {
  /** The next piece; null at the end. */
  next(): Promise<Uint8Array | null>;
  /** Called once when nothing more is read, whether it is at its end or not. */
  close(): void;
}

/** How long a body may be read, in milliseconds. */
export interface StreamLimits {
  /** A client that reads nothing for so long is given up. */
  readonly stallMs: number;
  /** A client that has not read everything after so long is given up, too. */
  readonly readMs: number;
}

/**
 * A body whose pieces are made as they are read: one at a time, and none before it is asked for.
 * @param onEnd - hears once that it was read to its end, or that it wasn't.
 */
export function streamBody(
  first: Uint8Array,
  source: BodySource,
  { stallMs, readMs }: StreamLimits,
  onEnd: (complete: boolean) => void,
): ReadableStream<Uint8Array> {
  const givenUpAt = performance.now() + readMs;
  let piece: Uint8Array | null = first;
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (complete: boolean) => {
    clearTimeout(stalled);
    if (isOver) return;
    isOver = true;
    source.close();
    onEnd(complete);
  };
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const giveUp = () => {
      end(false);
      controller.error(unreadProblem());
    };
    stalled = setTimeout(giveUp, Math.min(stallMs, givenUpAt - performance.now())).unref();
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    clearTimeout(stalled);
    const next = piece ?? (await source.next());
    piece = null;
    if (isOver) return;
    if (next) {
      controller.enqueue(next);
      watch(controller);
    } else {
      controller.close();
      end(true);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        try {
          await pull(controller);
        } catch (error) {
          end(false);
          throw error;
        }
      },
      cancel: () => end(false),
    },
    { highWaterMark: 0 },
  );
}
