import pg from 'pg';
import { abortedError, LoggableError, PlatformError } from '../../../errors.js';
import type { EngineCell, Parameter } from '../engine.js';
import { QueryProblem, StopReason, stoppedProblem, ValueProblem } from '../query-problem.js';
import { columnType } from './column-types.js';

const unreachable = "The data source can't be reached: try again in a moment.";

type ProblemFactory = () => Error;

const refused = (status: number, message: string) => (): Error => new PlatformError(status, message);

/** What the server's conditions mean for the caller: by the whole code, else by its class. */
const conditions: ReadonlyMap<string, ProblemFactory> = new Map([
  ['22012', refused(400, ValueProblem.division)],
  ['22003', refused(400, ValueProblem.range)],
  ['2201E', refused(400, ValueProblem.logarithm)],
  ['2201F', refused(400, ValueProblem.root)],
  ['22008', refused(400, ValueProblem.range)],
  ['22', refused(400, QueryProblem.value)],
  ['21000', refused(400, QueryProblem.rows)],
  ['54', refused(400, 'The query is too large: ask for fewer members, or fewer values in its filters.')],
  ['53100', refused(400, QueryProblem.memory)],
  ['53200', refused(400, QueryProblem.memory)],
  ['53400', refused(400, QueryProblem.memory)],
  ['57014', () => stoppedProblem(StopReason.timeout)],
  // A server that is full, shutting down, starting, in conflict with its primary, or lets nobody in any more.
  ...['08', '28', '3D', '40', '53', '57'].map((code): [string, ProblemFactory] => [code, refused(503, unreachable)]),
]);

/**
 * Turns what the server or the way to it threw into what may be shown: a `PlatformError` for what the query brought about, else an error
 * for the log. The server's own text is dropped wherever it can quote a value of a row or of a policy.
 */
export function engineProblem(error: unknown): Error {
  if (error instanceof PlatformError || error instanceof LoggableError) return error;
  if (error instanceof pg.DatabaseError) return serverProblem(error);
  if (isConnectionLost(error)) return new PlatformError(503, unreachable);
  return new LoggableError('The data source failed: unknown error');
}

function serverProblem({ code = '', message, position }: pg.DatabaseError): Error {
  const told = conditions.get(code) ?? conditions.get(code.slice(0, 2));
  if (told) return told();
  if (code === '0A000' && message.includes('FULL JOIN')) return new PlatformError(400, QueryProblem.fullJoin);
  // With a place in the statement it is of reading it, before any row: it speaks of names in our SQL.
  const [names = ''] = code.startsWith('42') && position !== undefined ? message.split('\n') : [];
  return new LoggableError(`The data source refused a statement: ${names === '' ? code : `${names} (${code})`}`);
}

/** Of the system, or of the client once it has lost its connection. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    'syscall' in error || /^(Connection terminated|timeout exceeded|Client (has|was)|Cannot use)/i.test(error.message)
  );
}

/** What a session runs on, and what it may take. */
interface SessionOptions {
  readonly client: pg.PoolClient;
  /** Asks the server to stop what runs on the connection. */
  readonly cancel: () => Promise<void>;
  /** How long the server may work for the session. */
  readonly timeoutMs: number;
  /** Stops the session when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Hears that the connection was given back. */
  readonly onEnd: () => void;
}

type Row = readonly (string | null)[];
/** Types of columns, by the numbers that the server has for them. */
type TypeIds = readonly number[];

/** Most characters that one result may hold: it is kept in memory, and once more as JSON on its way out. */
const maxResultCharacters = 16 * 1024 * 1024;
/** A request to stop that comes before the statement has begun is lost, so it is sent until the statement is over. */
const cancelEveryMs = 100;
/** What isn't over by then loses its connection. */
const maxCloseMs = 2000;
/** The server keeps to the time limit by itself; so much later it is taken for out of reach. */
const graceMs = 1000;
/** Every value as the server writes it. */
const types = { getTypeParser: () => (text: unknown) => text };

/**
 * A connection while it is lent, in a transaction that can only read: what statements change of the session, if they could, ends with it.
 * Where a statement was stopped the connection ends too, since the request to stop could hit the next one.
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

  /** Begins the transaction, by statements of our own. */
  async begin(statements: string): Promise<void> {
    await this.#work(() => this.#options.client.query(statements));
  }

  /**
   * The rows of a SELECT, column by column.
   * @throws PlatformError as `Engine.run` says.
   */
  async read(sql: string, parameters: readonly Parameter[]): Promise<EngineCell[][]> {
    let columns: { readonly cells: EngineCell[]; readonly cell: (text: string) => EngineCell }[] = [];
    let characters = 0;
    refuseOthers(sql);
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
   * Types of the columns of a SELECT, which isn't run.
   * @throws PlatformError as `Engine.run` says.
   */
  async describe(sql: string, parameters: readonly Parameter[]): Promise<TypeIds> {
    refuseOthers(sql);
    return this.#select(`SELECT * FROM (${sql}) AS described LIMIT 0`, parameters, () => undefined);
  }

  async #select(
    sql: string,
    parameters: readonly Parameter[],
    take: (row: Row, ids: TypeIds) => void,
  ): Promise<TypeIds> {
    // By the extended protocol it is one statement and no list of them, also where there are no values.
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

  /** Begins a SELECT of one column of texts, of which `fetch` reads the rows. Each fetch has the time limit of a statement: readers may be slow. */
  async open(sql: string, parameters: readonly Parameter[]): Promise<void> {
    refuseOthers(sql);
    const config = { text: `DECLARE made NO SCROLL CURSOR FOR ${sql}`, values: [...parameters], queryMode: 'extended' };
    await this.#work(() => this.#options.client.query(config));
  }

  /** The next rows; fewer than were asked for are the last ones. */
  async fetch(rows: number): Promise<string[]> {
    const config = { text: `FETCH ${rows} FROM made`, rowMode: 'array', types } as const;
    const found = await this.#work(() => this.#options.client.query<[string]>(config));
    return found.rows.map(([text]) => text);
  }

  /** Lets the server work, for the time that is left. */
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

  /** Stops what runs, and refuses what comes, for a reason; the connection isn't held for it. */
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

  /** Gives the connection back, at any time. Never rejects. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    const { client, signal } = this.#options;
    if (this.#working) this.#onAbort();
    await this.#working?.catch(() => undefined);
    signal?.removeEventListener('abort', this.#onAbort);
    if (this.#stopped) return this.#release('broken');
    // From here on the connection is someone else's.
    this.#stopped = abortedError();
    const late = setTimeout(() => this.#release('broken'), maxCloseMs);
    await client.query('ROLLBACK').then(
      () => this.#release('clean'),
      () => this.#release('broken'),
    );
    clearTimeout(late);
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

function refuseOthers(sql: string): void {
  if (!/^\s*(select|with)\b/i.test(sql))
    throw new LoggableError('The data source was not asked: only a SELECT may run.');
}
