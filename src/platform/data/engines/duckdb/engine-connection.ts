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

/** Thrown if the engine process ended before it responded. */
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

/** Maximum number of consecutive pings without a message from the process, during and after its start. */
const maxMissedPings = { starting: 60, running: 5 };
/** Environment variables that the process receives. They contain no secrets. */
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

/** Connection to one engine process. The engine process exits when this process exits for any reason. */
export class EngineConnection {
  /** Resolves when the process has exited. */
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
   * @param pingMs - interval of pings while a call is pending; the process counts as frozen if five consecutive pings
   * get no response.
   * @param onEnd - called once when the process stops accepting calls, before pending ones reject; the argument is
   * `null` if `kill` was called without a loss.
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
      // The process cannot start, or messages cannot be sent to it.
      this.#child.on('error', () => {
        this.kill(EngineLoss.exited);
        if (this.#child.pid === undefined) resolve();
      });
    });
    this.#stopPings();
    this.#child.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Runs an operation in the process.
   * @throws EngineLostError if the process ends first, otherwise the errors of the operation.
   */
  call<K extends keyof EngineOperations>(
    operation: K,
    input: Parameters<EngineOperations[K]>[0],
  ): ReturnType<EngineOperations[K]> {
    const response = new Promise<unknown>((resolve, reject) => {
      if (this.#isEnded) {
        reject(new EngineLostError());
        return;
      }
      this.#lastId += 1;
      this.#calls.set(this.#lastId, { resolve, reject });
      if (this.#calls.size === 1) this.#startPings();
      this.#child.send({ id: this.#lastId, operation, input });
    });
    // The process returns the result type of the operation.
    return response as ReturnType<EngineOperations[K]>;
  }

  /** Kills the process. Pending calls reject with EngineLostError. */
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
    if (this.#calls.size === 0) this.#stopPings();
    if (message.kind === 'result') call.resolve(message.value);
    else call.reject(fromWireError(message.error));
  }

  /** Pings the engine process, and prevents this process from exiting while a call is pending. */
  #startPings(): void {
    clearInterval(this.#pings);
    this.#missedPings = 0;
    this.#child.channel?.ref();
    this.#pings = setInterval(() => this.#ping(), this.#pingMs);
  }

  #stopPings(): void {
    clearInterval(this.#pings);
    this.#missedPings = 0;
    this.#child.channel?.unref();
  }

  #ping(): void {
    // Count pings instead of measuring time, because this process may have been paused.
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
    this.#stopPings();
    this.#onEnd(loss);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(new EngineLostError());
  }
}

function startProcess(): ChildProcess {
  // TypeScript files (tests, development) require a loader.
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
  /** Creates the error of a stream whose process has ended. */
  readonly onLost: () => Error;
}

/**
 * Starts a statement in an engine process; resolves with its first rows.
 * @throws EngineLostError if the process ends first, otherwise the errors of `Engine.stream`.
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
  /** Whether the engine process has released the statement. */
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
        // The process prepares the next piece while the caller reads this one.
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
    // Ignore the error, because a process that has ended holds no resources.
    await connection.call('close', { statement: input.statement }).catch(() => undefined);
  }
}
