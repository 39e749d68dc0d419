import pg from 'pg';
import { abortedError, LoggableError, PlatformError } from '../../../errors.js';
import type { EngineCell, Parameter } from '../engine.js';
import { QueryProblem, StopReason, stoppedProblem, ValueProblem } from '../query-problem.js';
import { columnType } from './column-types.js';

const unreachable = 'The data source is unreachable. Try again in a moment.';

type ProblemFactory = () => Error;

const rejection = (status: number, message: string) => (): Error => new PlatformError(status, message);

/** Messages by SQLSTATE, or by the class of the SQLSTATE (its first two characters). */
const conditions: ReadonlyMap<string, ProblemFactory> = new Map([
  ['22012', rejection(400, ValueProblem.division)],
  ['22003', rejection(400, ValueProblem.range)],
  ['2201E', rejection(400, ValueProblem.logarithm)],
  ['2201F', rejection(400, ValueProblem.root)],
  ['22008', rejection(400, ValueProblem.range)],
  ['22', rejection(400, QueryProblem.value)],
  ['21000', rejection(400, QueryProblem.rows)],
  ['54', rejection(400, 'The query is too large. Use fewer members, or fewer values in its filters.')],
  ['53100', rejection(400, QueryProblem.memory)],
  ['53200', rejection(400, QueryProblem.memory)],
  ['53400', rejection(400, QueryProblem.memory)],
  ['57014', () => stoppedProblem(StopReason.timeout)],
  // SQLSTATEs of a server that is full, shutting down, starting, in conflict with its primary, or refusing logins.
  ...['08', '28', '3D', '40', '53', '57'].map((code): [string, ProblemFactory] => [code, rejection(503, unreachable)]),
]);

/**
 * Maps an error of the server or the connection to an error that is safe to report: a `PlatformError` if the query
 * caused it, otherwise a `LoggableError`. Drops server messages that may quote a value of a row or a policy.
 */
export function engineProblem(error: unknown): Error {
  if (error instanceof PlatformError || error instanceof LoggableError) return error;
  if (error instanceof pg.DatabaseError) return serverProblem(error);
  if (isConnectionLost(error)) return new PlatformError(503, unreachable);
  return new LoggableError('The data source failed: unknown error');
}

function serverProblem({ code = '', message, position }: pg.DatabaseError): Error {
  const knownProblem = conditions.get(code) ?? conditions.get(code.slice(0, 2));
  if (knownProblem) return knownProblem();
  if (code === '0A000' && message.includes('FULL JOIN')) return new PlatformError(400, QueryProblem.fullJoin);
  // An error with a position comes from the parser, which reads no rows. Its message contains only names from generated
  // SQL.
  const [names = ''] = code.startsWith('42') && position !== undefined ? message.split('\n') : [];
  return new LoggableError(`The data source rejected a statement: ${names === '' ? code : `${names} (${code})`}`);
}

/** Whether the system or the client reports a lost connection. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    'syscall' in error || /^(Connection terminated|timeout exceeded|Client (has|was)|Cannot use)/i.test(error.message)
  );
}

/** Connection and limits of a session. */
interface SessionOptions {
  readonly client: pg.PoolClient;
  /** Sends a cancel request for the connection. */
  readonly cancel: () => Promise<void>;
  /** Total time that the server may spend on the session, in milliseconds. */
  readonly timeoutMs: number;
  /** When this signal aborts, the session is stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection is released. */
  readonly onEnd: () => void;
}

type Row = readonly (string | null)[];
/** Type OIDs of the result columns. */
type TypeIds = readonly number[];

/** Maximum number of characters of one result, which is held in memory twice: as cells and as JSON. */
const maxResultCharacters = 16 * 1024 * 1024;
/**
 * Interval between cancel requests, in milliseconds. A request that arrives before the statement starts has no effect,
 * so it is repeated.
 */
const cancelEveryMs = 100;
/** Time limit for stopping a statement or rolling back, in milliseconds. After it, the connection is dropped. */
const maxCloseMs = 2000;
/** Time in milliseconds that the client waits beyond the time limit, which the server enforces. */
const graceMs = 1000;
/** Parser setting that returns every value in the server's text format. */
const types = { getTypeParser: () => (text: unknown) => text };

/**
 * A pooled connection in a read-only transaction; changes to the session state end with the transaction. If a statement
 * was stopped, the connection is dropped, because the cancel request could affect the next statement.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #onAbort = () => this.stop(abortedError());
  #leftMs: number;
  #stopped: PlatformError | undefined;
  #working: Promise<unknown> | undefined;
  #cancels: NodeJS.Timeout | undefined;
  #isReleased = false;
  #ended: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#leftMs = options.timeoutMs;
    if (options.signal?.aborted) this.#onAbort();
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  /** Starts the transaction with generated statements. */
  async begin(statements: string): Promise<void> {
    await this.#work(() => this.#options.client.query(statements));
  }

  /**
   * Returns the rows of a SELECT by column.
   * @throws PlatformError like `Engine.run`.
   */
  async read(sql: string, parameters: readonly Parameter[]): Promise<EngineCell[][]> {
    let columns: { readonly cells: EngineCell[]; readonly cell: (text: string) => EngineCell }[] = [];
    let characters = 0;
    requireSelect(sql);
    const take = (row: Row, ids: TypeIds) => {
      if (columns.length === 0) columns = ids.map(id => ({ cells: [], cell: columnType(id).cell }));
      row.forEach((text, index) => {
        const column = columns[index];
        const cell = text === null ? null : (column?.cell(text) ?? null);
        characters += typeof cell === 'string' ? cell.length : 1;
        column?.cells.push(cell);
      });
      if (characters <= maxResultCharacters) return;
      columns = [];
      this.stop(new PlatformError(400, QueryProblem.result));
    };
    const ids = await this.#select(sql, parameters, take);
    return columns.length > 0 ? columns.map(({ cells }) => cells) : ids.map(() => []);
  }

  /**
   * Returns the column types of a SELECT without running it.
   * @throws PlatformError like `Engine.run`.
   */
  async describe(sql: string, parameters: readonly Parameter[]): Promise<TypeIds> {
    requireSelect(sql);
    return this.#select(`SELECT * FROM (${sql}) AS described LIMIT 0`, parameters, () => undefined);
  }

  async #select(
    sql: string,
    parameters: readonly Parameter[],
    take: (row: Row, ids: TypeIds) => void,
  ): Promise<TypeIds> {
    // The extended protocol rejects multiple statements, even without parameters.
    const config = { text: sql, values: [...parameters], rowMode: 'array', types, queryMode: 'extended' };
    const run = (resolve: (ids: TypeIds) => void, reject: (error: unknown) => void) => {
      const query = new pg.Query<(string | null)[]>(config);
      query.on('row', (row, result) => {
        if (result && !this.#stopped) take(row, idsOf(result));
      });
      query.on('end', result => resolve(idsOf(result)));
      query.on('error', reject);
      this.#options.client.query(query);
    };
    return this.#work(() => new Promise(run));
  }

  /**
   * Opens a cursor on a SELECT of one text column. Each `fetch` gets the full time limit, because readers may be slow.
   */
  async open(sql: string, parameters: readonly Parameter[]): Promise<void> {
    requireSelect(sql);
    const config = {
      text: `DECLARE result NO SCROLL CURSOR FOR ${sql}`,
      values: [...parameters],
      queryMode: 'extended',
    };
    await this.#work(() => this.#options.client.query(config));
  }

  /** Returns the next rows; fewer than requested if they are the last. */
  async fetch(rows: number): Promise<string[]> {
    const config = { text: `FETCH ${rows} FROM result`, rowMode: 'array', types } as const;
    const result = await this.#work(() => this.#options.client.query<[string]>(config));
    return result.rows.map(([text]) => text);
  }

  /** Runs a task on the server within the remaining time. */
  async #work<T>(start: () => Promise<T>): Promise<T> {
    this.#check();
    const startedAt = performance.now();
    const timeout = setTimeout(() => this.stop(stoppedProblem(StopReason.timeout)), this.#leftMs + graceMs);
    try {
      const working = start();
      this.#working = working;
      const result = await working;
      this.#check();
      return result;
    } catch (error) {
      throw this.#stopped ?? engineProblem(error);
    } finally {
      this.#working = undefined;
      this.#leftMs -= performance.now() - startedAt;
      clearTimeout(timeout);
      clearInterval(this.#cancels);
    }
  }

  #check(): void {
    if (this.#stopped) throw this.#stopped;
  }

  /** Stops the running statement and rejects later statements with this error. Returns immediately. */
  stop(reason: PlatformError): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    if (!this.#working) {
      void this.end();
      return;
    }
    const until = performance.now() + maxCloseMs;
    const cancel = () => {
      if (performance.now() > until) this.#release('broken');
      else void this.#options.cancel();
    };
    this.#cancels = setInterval(cancel, cancelEveryMs);
    cancel();
  }

  /** Releases the connection. Idempotent; never rejects. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    const { client, signal } = this.#options;
    if (this.#working) this.#onAbort();
    // Ignore the error here, because it is returned to the caller of the statement.
    await this.#working?.catch(() => undefined);
    signal?.removeEventListener('abort', this.#onAbort);
    if (this.#stopped) return this.#release('broken');
    // The connection now belongs to the pool, so stop listening.
    this.#stopped = abortedError();
    const timeout = setTimeout(() => this.#release('broken'), maxCloseMs);
    await client.query('ROLLBACK').then(
      () => this.#release('clean'),
      () => this.#release('broken'),
    );
    clearTimeout(timeout);
  }

  #release(state: 'clean' | 'broken'): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#options.client.release(state === 'broken');
    this.#options.onEnd();
  }
}

function idsOf(result: { readonly fields: readonly pg.FieldDef[] }): TypeIds {
  return result.fields.map(({ dataTypeID }) => dataTypeID);
}

function requireSelect(sql: string): void {
  if (!/^\s*(select|with)\b/i.test(sql))
    throw new LoggableError('The statement was not run: only SELECT is supported.');
}
