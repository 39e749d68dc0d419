import pg from 'pg';
import { LoggableError, PlatformError } from '../../../errors.js';
import type { SqlType } from '../../sql/sql-type.js';
import { type Engine, type Parameter, type RowStream, SqlDialect } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import { type BackendKey, requestCancel, type ServerAddress } from './cancel-request.js';
import { type Catalog, catalogSql, readCatalog } from './catalog.js';
import { columnType } from './column-types.js';
import { openRowStream } from './row-stream.js';
import { engineProblem, Session } from './session.js';

/** Where the data is, and what a query may cost. */
export interface PostgresEngineOptions {
  /** `postgres://user:password@host/database`, of a role that may read and nothing else. */
  readonly url: string;
  /** Schema of the tables; `public` by default. */
  readonly schema?: string;
  /** Time that one query may take; 30 seconds by default. */
  readonly timeoutMs?: number;
  /** Connections at once, of queries and streams together; 20 by default. */
  readonly connections?: number;
  /** How often the tables are looked at for a change; every 30 seconds by default. */
  readonly pollMs?: number;
  /** Hears, in a sentence, of what an operator should look at. */
  readonly onProblem?: (message: string) => void;
}

/** Why a data source can't be used: the message says what to do, and holds nothing of its URL. */
class DataSourceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DataSourceError';
  }
}

const maxAttempts = 3;
/** A stream waits for its reader within a transaction; for longer than this only one that was forgotten. */
const idleLimitMs = 10 * 60_000;

/**
 * Opens an engine over a Postgres server. Every statement runs in a transaction that can only read, in UTC; rows are those of the moment.
 * @throws DataSourceError when it can't be reached, or its role is a superuser: such a one may read the server's files.
 */
export async function openPostgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { url, connections = 20 } = options;
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new DataSourceError('The URL of the data source must begin with postgres:// or postgresql://.');
  }
  const address = addressOf(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'pa-platform',
  });
  // A connection that breaks is dropped by the pool and replaced; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  const engine = new PostgresEngine(options, pool, address);
  try {
    await engine.start();
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Why the first connection could not be made, by the code that the server or the system gives. */
function unopened(code: string): DataSourceError {
  const told = unopenedByCode.find(([codes]) => codes.test(code))?.[1] ?? 'check its URL, and that the server is up';
  return new DataSourceError(`The data source can't be opened (${code}): ${told}.`);
}

const unopenedByCode: readonly (readonly [codes: RegExp, told: string])[] = [
  [/^3D000$/, 'the server has no database of this name: check the end of its URL'],
  [/^28/, 'the server refuses the login: check user and password in its URL, and that the role may log in from here'],
  [/^(53300|57P03)$/, 'the server is full, or still starting: try again in a moment'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no such host: check its URL'],
  [/^(08\w{3}|E[A-Z]+)$/, 'the server was not reached: check host and port in its URL, and that it is up'],
];

/** Where connections are made to. The client reads the URL, and says nothing of it. */
function addressOf(url: string): ServerAddress {
  try {
    const { host, port, ssl } = new pg.Client({ connectionString: url });
    return { host, port, ssl };
  } catch {
    throw new DataSourceError(
      "The URL of the data source can't be read: write postgres://user:password@host/database.",
    );
  }
}

class PostgresEngine implements Engine {
  readonly dialect = SqlDialect.postgres;
  /** Rows are as new as their reading. */
  readonly lastRefreshTime = null;
  readonly #options: PostgresEngineOptions;
  readonly #schema: string;
  readonly #timeoutMs: number;
  readonly #pool: pg.Pool;
  readonly #address: ServerAddress;
  readonly #sessions = new Set<Session>();
  #catalog: Catalog = { tables: [], writable: [], version: '' };
  #poll: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | undefined;
  #isLost = false;
  #closed: Promise<void> | undefined;

  constructor(options: PostgresEngineOptions, pool: pg.Pool, address: ServerAddress) {
    this.#options = options;
    this.#schema = options.schema ?? 'public';
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#pool = pool;
    this.#address = address;
  }

  get dataVersion(): string {
    return this.#catalog.version;
  }

  get tables(): readonly string[] {
    return this.#catalog.tables;
  }

  /** Looks whether the role is one to serve with, and what tables there are. */
  async start(): Promise<void> {
    const schema = this.#schema;
    try {
      // The first connection is made by hand, because what an error of it says is for the operator.
      (await this.#pool.connect()).release();
    } catch (error) {
      const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
      throw unopened(typeof code === 'string' ? code : 'no code');
    }
    const sql = `SELECT current_setting('is_superuser') = 'on', EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = CAST($1 AS text))`;
    const [[isSuperuser] = [], [isThere] = []] = (await this.run(sql, [schema])).columns;
    if (isSuperuser === true) {
      throw new DataSourceError(
        'The role of the data source is a superuser: give the URL of one that may only SELECT.',
      );
    }
    if (isThere !== true) throw new DataSourceError(`The data source has no schema ${schema}: check its name.`);
    await this.#look();
    this.#warnOfWrites();
    this.#poll = setInterval(() => this.#startRefresh(), this.#options.pollMs ?? 30_000).unref();
  }

  async run(...[sql, parameters, options]: Parameters<Engine['run']>): ReturnType<Engine['run']> {
    return this.#lend(options?.signal, async session => ({ columns: await session.read(sql, parameters) }));
  }

  async describe(sql: string, parameters: readonly Parameter[]): Promise<readonly SqlType[]> {
    const ids = await this.#lend(undefined, session => session.describe(sql, parameters));
    return ids.map(id => columnType(id).type);
  }

  async stream(...[sql, parameters, options]: Parameters<Engine['stream']>): Promise<RowStream> {
    const session = await this.#begin(options?.signal);
    try {
      return await openRowStream(session, sql, parameters);
    } catch (error) {
      void session.end();
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#poll);
    for (const session of this.#sessions) session.stop(stoppedProblem(StopReason.closed));
    await Promise.all([...this.#sessions].map(session => session.end()));
    await this.#pool.end();
  }

  async #lend<T>(signal: AbortSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#begin(signal);
    try {
      return await work(session);
    } finally {
      // Nobody has to wait for it.
      void session.end();
    }
  }

  async #begin(signal: AbortSignal | undefined): Promise<Session> {
    for (let attempt = 1; ; attempt++) {
      const session = await this.#connect(signal);
      try {
        await session.begin(this.#preamble());
        return session;
      } catch (error) {
        void session.end();
        // A connection that was kept may have been lost unnoticed.
        const isLost = error instanceof PlatformError && error.status === 503;
        if (!isLost || this.#closed || attempt === maxAttempts) throw error;
      }
    }
  }

  async #connect(signal: AbortSignal | undefined): Promise<Session> {
    if (this.#closed) throw stoppedProblem(StopReason.closed);
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw engineProblem(error);
    });
    const session = new Session({
      client,
      cancel: () => requestCancel(this.#address, keyOf(client)),
      timeoutMs: this.#timeoutMs,
      signal,
      onEnd: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    if (this.#closed) session.stop(stoppedProblem(StopReason.closed));
    return session;
  }

  /**
   * All that a statement relies on is set with its transaction and ends with it: so it holds behind a pooler too, which hands out
   * connections by transaction.
   */
  #preamble(): string {
    const settings = {
      statement_timeout: String(this.#timeoutMs),
      idle_in_transaction_session_timeout: String(idleLimitMs),
      search_path: `"${this.#schema.replaceAll('"', '""')}", pg_temp`,
      TimeZone: `'UTC'`,
      DateStyle: `'ISO, YMD'`,
      IntervalStyle: `'postgres'`,
      extra_float_digits: '1',
      // Streams are read to their end.
      cursor_tuple_fraction: '1',
      standard_conforming_strings: 'on',
    };
    const set = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
    return ['BEGIN READ ONLY', ...set].join('; ');
  }

  #startRefresh(): void {
    this.#refreshing ??= this.#look()
      .then(
        () => {
          this.#isLost = false;
        },
        () => this.#tellOfLoss(),
      )
      .finally(() => {
        this.#refreshing = undefined;
      });
  }

  async #look(): Promise<void> {
    this.#catalog = readCatalog((await this.run(catalogSql, [this.#schema])).columns);
  }

  /** Once, until it is back. */
  #tellOfLoss(): void {
    if (this.#isLost || this.#closed) return;
    this.#isLost = true;
    this.#options.onProblem?.("The data source can't be reached: queries are refused until it is back.");
  }

  #warnOfWrites(): void {
    const [first, ...others] = this.#catalog.writable;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    this.#options.onProblem?.(
      `The role of the data source may write to ${first}${more}: give it SELECT alone. Statements can't write all the same.`,
    );
  }
}

/** What the client has been told of its connection; its types don't say so. */
function keyOf(client: pg.PoolClient): BackendKey {
  const [processId, secret]: unknown[] = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')];
  if (typeof processId !== 'number' || typeof secret !== 'number')
    throw new LoggableError('The data source tells no key to stop statements by.');
  return { processId, secret };
}
