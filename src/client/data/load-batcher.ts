import { load } from '../../contract/data.js';
import { type LoadBatchRequest, loadBatch, maxBatchRequests } from '../../contract/load-batch.js';
import type { LoadRequest } from '../../contract/query.js';
import { PaAuthenticationError, PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import { isRecord, parseJson, readText, withDeadline } from '../http/fetch.js';
import { lineSplitter } from '../http/line-splitter.js';
import { type Answer, defaultTimeoutMs, failureOf, type RequestInput, send } from '../http/request.js';

type LoadInput = RequestInput<typeof load>;

/** Maximum length of the body of a batch, in characters. Services accept at most 256 KB for a request. */
const maxBodyLength = 192 * 1024;
/** Maximum length of one response, in characters. */
const maxLineLength = 256 * 1024 * 1024;
/** A timer of 0 ms that takes longer is throttled, as in hidden pages. Lines must not wait for such timers. */
const throttledMs = 200;
/** Number of microtasks without a new query after which a batch is sent. */
const quietMicrotasks = 32;
const what = `${loadBatch.method} ${loadBatch.path} of the Data API`;

/** One query that waits for its response. */
interface Entry {
  readonly input: LoadInput;
  /** Aborted if the caller no longer needs the rows. */
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends load queries that are started in the same task as one request (`POST /v1/load-batch`), and resolves each as
 * soon as its part of the response has arrived. A single query is sent to `/v1/load`. If the service does not support
 * the operation, or a batch ends early, queries without a response are sent one by one.
 */
export class LoadBatcher {
  readonly #sendAlone: (input: LoadInput) => Promise<Answer>;
  #waiting: Entry[] = [];
  #isSupported = true;

  /** @param sendAlone - sends one query to `/v1/load`. */
  constructor(sendAlone = (input: LoadInput): Promise<Answer> => send(load, input)) {
    this.#sendAlone = sendAlone;
  }

  /** Sends a query in a batch if possible. Rejects with the same errors as `send`. */
  send(input: LoadInput): Promise<Answer> {
    const { dialect, signal, requestId, timeoutMs = defaultTimeoutMs } = input;
    // Dialects do not translate this operation, and a custom request id identifies a single request.
    if (!this.#isSupported || dialect || requestId !== undefined) return this.#sendAlone(input);
    const limits = { timeoutMs, signals: [signal], what: `${load.path} of the Data API` };
    return withDeadline(
      limits,
      inner =>
        new Promise((resolve, reject) => {
          if (this.#waiting.length === 0) void this.#flushWhenQuiet();
          this.#waiting.push({ input: { ...input, signal: inner }, signal: inner, resolve, reject });
        }),
    );
  }

  /**
   * Sends the queries once no query has been added for a few microtasks. Elements that update in the same task start
   * their queries in successive microtasks.
   */
  async #flushWhenQuiet(): Promise<void> {
    for (let quiet = 0, count = 0; quiet < quietMicrotasks; quiet += 1) {
      if (this.#waiting.length > count) {
        count = this.#waiting.length;
        quiet = 0;
      }
      await Promise.resolve();
    }
    this.#flush();
  }

  #flush(): void {
    const entries = this.#waiting.filter(({ signal }) => !signal.aborted);
    this.#waiting = [];
    for (const batch of batchesOf(entries)) {
      if (batch.length > 1 && this.#isSupported) void this.#sendBatch(batch);
      else this.#sendEach(batch);
    }
  }

  #sendEach(entries: Iterable<Entry>): void {
    for (const { input, resolve } of entries) resolve(this.#sendAlone(input));
  }

  async #sendBatch(entries: readonly Entry[]): Promise<void> {
    const open = new Map(entries.entries());
    const abort = new AbortController();
    for (const [index, { signal }] of open) {
      signal.addEventListener('abort', () => {
        open.delete(index);
        if (open.size === 0) abort.abort();
      });
    }
    let hasAnswer = false;
    try {
      await send(loadBatch, {
        ...inputOf(entries),
        signal: abort.signal,
        read: (response, _what, requestId) => {
          hasAnswer = true;
          return readLines(response, requestId, open);
        },
      });
    } catch (error) {
      if (!hasAnswer && isUnsupported(error)) this.#isSupported = false;
      if (isFinal(error)) {
        for (const { reject } of open.values()) reject(error);
        return;
      }
    }
    this.#sendEach([...open.values()].filter(({ signal }) => !signal.aborted));
  }
}

/** Groups queries with the same target and credential, within the limits of one batch. */
function batchesOf(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  const current = new Map<string, { readonly batch: Entry[]; length: number }>();
  for (const entry of entries) {
    const { baseUrl, authorization, body } = entry.input;
    const key = `${authorization} ${baseUrl}`;
    const { length } = JSON.stringify(body);
    const open = current.get(key);
    if (open && open.batch.length < maxBatchRequests && open.length + length <= maxBodyLength) {
      open.batch.push(entry);
      open.length += length;
    } else {
      const batch = [entry];
      batches.push(batch);
      current.set(key, { batch, length });
    }
  }
  return batches;
}

function inputOf(entries: readonly Entry[]): RequestInput<typeof loadBatch> {
  const inputs = entries.map(({ input }) => input);
  const { baseUrl = '', authorization, fetch } = inputs[0] ?? {};
  const requests = inputs.map(({ body }) => body as LoadRequest);
  const timeoutMs = Math.max(...inputs.map(input => input.timeoutMs ?? defaultTimeoutMs));
  return { baseUrl, authorization, fetch, timeoutMs, body: { requests } satisfies LoadBatchRequest };
}

/** Whether the error may mean that the service, or a proxy in front of it, does not support batches. */
function isUnsupported(error: unknown): boolean {
  if (error instanceof PaConnectionError) return true;
  if (!(error instanceof PaError) || error.status === null || isFinal(error)) return false;
  return (error.status >= 400 && error.status < 500 && error.status !== 408) || error.status === 501;
}

/** Whether single requests would fail like the batch, or must wait. */
function isFinal(error: unknown): boolean {
  if (error instanceof PaAuthenticationError) return true;
  return error instanceof PaError && (error.status === 429 || error.status === 503);
}

/** Settles the queries in `open` with the lines of a response. */
async function readLines(response: Response, requestId: string | null, open: Map<number, Entry>): Promise<void> {
  const invalid = (): PaError =>
    new PaError(PaErrorCode.invalidResponse, `${what} returned an invalid line.`, { requestId });
  const take = (text: string): void => {
    const line = parseJson(text, what, requestId);
    if (!isRecord(line) || typeof line.index !== 'number' || typeof line.status !== 'number') throw invalid();
    const entry = open.get(line.index);
    // The caller aborted its query.
    if (!entry) return;
    open.delete(line.index);
    if (line.status === 200) entry.resolve({ body: line.body, requestId });
    else entry.reject(failureIn(line, entry, requestId));
  };
  const texts: string[] = [];
  const lines = lineSplitter(text => texts.push(text), maxLineLength, invalid);
  let isThrottled = false;
  // Each tile renders in a separate task, as with separate responses, so that a chunk does not cause one long task.
  const takeAll = async (): Promise<void> => {
    for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
      take(text);
      if (texts.length === 0 || isThrottled) continue;
      const start = Date.now();
      await nextTask();
      isThrottled = Date.now() - start > throttledMs;
    }
  };
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      lines.feed(decoder.decode(chunk.value, { stream: true }));
      await takeAll();
    }
    lines.feed(reader ? '\n' : `${await readText(response, what, requestId)}\n`);
    await takeAll();
  } finally {
    // Settles when the connection is closed; the result does not matter.
    reader?.cancel().catch(() => {});
  }
}

function nextTask(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve);
  });
}

/** Creates the same error for a query of a batch as for a query that was sent alone. */
function failureIn(
  { status, retryAfter, body }: Readonly<Record<string, unknown>>,
  { input: { authorization } }: Entry,
  requestId: string | null,
): PaError {
  const isStatus = typeof status === 'number' && status >= 400 && status <= 599;
  const headers = {
    ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }),
    ...(requestId !== null && { 'x-request-id': requestId }),
  };
  const response = new Response(null, { status: isStatus ? status : 502, headers });
  const called = `${load.method} ${load.path} of the Data API`;
  return failureOf(response, JSON.stringify(body ?? {}), { api: 'data', what: called, authorization });
}
