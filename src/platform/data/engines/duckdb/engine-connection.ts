import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EngineLoss, type RowPiece, type RowStream } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import {
  type EngineOperations,
  type EngineReply,
  fromWireError,
  type NextRows,
  type StatementInput,
} from './engine-protocol.js';

/** The engine process ended before it answered. */
export class EngineLostError extends Error {
  constructor() {
    super('The engine process ended.');
    this.name = 'EngineLostError';
  }
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Pings in a row without any message from the process: while it starts, and later. */
const maxMissedPings = { starting: 60, running: 5 };
/** What the process gets of the environment: no secrets. */
const environmentNames = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'TEMP',
  'TMP',
];

/** One engine process. It ends with this process, however this process ends. */
export class EngineConnection {
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  readonly #pingMs: number;
  readonly #onEnd: (loss: EngineLoss | null) => void;
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, PendingCall>();
  #lastId = 0;
  #isEnded = false;
  #hasAnswered = false;
  #missedPings = 0;
  #pings: NodeJS.Timeout | undefined;

  /**
   * @param pingMs - time between two pings while a call is pending; five of them without an answer mean that the process is frozen.
   * @param onEnd - called once when the process takes no more calls, before pending ones reject; null if it was killed without a loss.
   */
  constructor(pingMs: number, onEnd: (loss: EngineLoss | null) => void) {
    this.#pingMs = pingMs;
    this.#onEnd = onEnd;
    this.#child = startProcess();
    this.#child.on('message', (message: EngineReply) => this.#take(message));
    this.exited = new Promise(resolve => {
      this.#child.on('exit', () => {
        this.#end(EngineLoss.exited);
        resolve();
      });
      // The process could not be started, or takes no more messages.
      this.#child.on('error', () => {
        this.kill(EngineLoss.exited);
        if (this.#child.pid === undefined) resolve();
      });
    });
    this.#keepAlive(false);
    this.#child.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Has the process do something.
   * @throws EngineLostError when the process ends first, else what the operation throws.
   */
  call<K extends keyof EngineOperations>(
    operation: K,
    input: Parameters<EngineOperations[K]>[0],
  ): ReturnType<EngineOperations[K]> {
    const called = new Promise<unknown>((resolve, reject) => {
      if (this.#isEnded) {
        reject(new EngineLostError());
        return;
      }
      this.#lastId += 1;
      this.#calls.set(this.#lastId, { resolve, reject });
      if (this.#calls.size === 1) this.#keepAlive(true);
      this.#child.send({ id: this.#lastId, operation, input });
    });
    // The process answers an operation with its own result.
    return called as ReturnType<EngineOperations[K]>;
  }

  /** Ends the process. Calls reject with EngineLostError. */
  kill(loss: EngineLoss | null): void {
    this.#end(loss);
    this.#child.kill('SIGKILL');
  }

  #take(message: EngineReply): void {
    this.#hasAnswered = true;
    this.#missedPings = 0;
    if (message.kind === 'unresponsive') {
      this.kill(EngineLoss.unresponsive);
      return;
    }
    const call = this.#calls.get(message.id);
    if (call === undefined) return;
    this.#calls.delete(message.id);
    if (this.#calls.size === 0) this.#keepAlive(false);
    if (message.kind === 'result') call.resolve(message.value);
    else call.reject(fromWireError(message.error));
  }

  /** Watches the process, and keeps this one, while a call is pending. */
  #keepAlive(isNeeded: boolean): void {
    clearInterval(this.#pings);
    this.#missedPings = 0;
    if (isNeeded) {
      this.#child.channel?.ref();
      this.#pings = setInterval(() => this.#ping(), this.#pingMs);
    } else this.#child.channel?.unref();
  }

  #ping(): void {
    // Counted, not timed: a pause of this process is no silence of the other.
    if (this.#missedPings >= maxMissedPings[this.#hasAnswered ? 'running' : 'starting']) {
      this.kill(EngineLoss.frozen);
      return;
    }
    this.#missedPings += 1;
    this.#child.send({ id: 0, operation: 'ping', input: null });
  }

  #end(loss: EngineLoss | null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#keepAlive(false);
    this.#onEnd(loss);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(new EngineLostError());
  }
}

function startProcess(): ChildProcess {
  // As sources (tests, development) the modules need a loader.
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(isSource ? './engine-process.ts' : './engine-process.js', import.meta.url);
  const environment = environmentNames.flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return fork(fileURLToPath(file), {
    execArgv: isSource ? ['--import', 'tsx'] : [],
    env: Object.fromEntries(environment),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** A statement in an engine process. */
interface ProcessRowsOptions {
  readonly connection: EngineConnection;
  readonly input: StatementInput;
  readonly signal?: AbortSignal | undefined;
  /** The error of rows that can't be read on since the process ended. */
  readonly onLost: () => Error;
}

/**
 * Begins a statement in an engine process; resolves with its first rows.
 * @throws EngineLostError when the process ends first, else as `Engine.stream` does.
 */
export async function openProcessRows(options: ProcessRowsOptions): Promise<RowStream> {
  const rows = new ProcessRows(options);
  await rows.begin();
  return rows;
}

class ProcessRows implements RowStream {
  readonly pieces: AsyncIterable<RowPiece> = { [Symbol.asyncIterator]: () => this.#pieces() };
  readonly #options: ProcessRowsOptions;
  readonly #stop = () => void this.close();
  #next: Promise<NextRows>;
  /** Nothing of the statement is left in the process. */
  #isOver = false;
  #closed: Promise<void> | undefined;

  constructor(options: ProcessRowsOptions) {
    this.#options = options;
    const { connection, input, signal } = options;
    signal?.addEventListener('abort', this.#stop);
    this.#next = this.#read(connection.call('begin', input));
  }

  async begin(): Promise<void> {
    await this.#next;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async *#pieces(): AsyncGenerator<RowPiece> {
    const { connection, input, onLost } = this.#options;
    try {
      for (;;) {
        const { piece, isLast } = await this.#next;
        this.#check();
        // The process makes the next piece while this one is read.
        if (!isLast) this.#next = this.#read(connection.call('next', { statement: input.statement }));
        if (piece !== null) yield piece;
        if (isLast) return;
        this.#check();
      }
    } catch (error) {
      throw error instanceof EngineLostError ? onLost() : error;
    } finally {
      await this.close();
    }
  }

  #check(): void {
    if (this.#closed) throw stoppedProblem(StopReason.aborted);
  }

  #read(reading: Promise<NextRows>): Promise<NextRows> {
    reading.then(
      ({ isLast }) => {
        this.#isOver ||= isLast;
      },
      () => {
        this.#isOver = true;
        this.#options.signal?.removeEventListener('abort', this.#stop);
      },
    );
    return reading;
  }

  async #close(): Promise<void> {
    const { connection, input, signal } = this.#options;
    signal?.removeEventListener('abort', this.#stop);
    if (this.#isOver) return;
    // Of a process that ended nothing is left.
    await connection.call('close', { statement: input.statement }).catch(() => undefined);
  }
}
