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

/** Connection and limits of a Postgres engine. */
export interface PostgresEngineOptions {
  /** `postgres://user:password@host/database`; the role should have only read access. */
  readonly url: string;
  /** Schema of the tables. Default: `public`. */
  readonly schema?: string;
  /** Time limit of one query, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Maximum number of connections for queries and streams. Default: 20. */
  readonly connections?: number;
  /** Interval at which the catalog is polled for changes, in milliseconds. Default: 30,000. */
  readonly pollMs?: number;
  /** Called with messages for the operator. */
  readonly onProblem?: (message: string) => void;
}

/** Thrown if the data source cannot be used. The message states how to fix it and contains no part of the URL. */
class DataSourceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DataSourceError';
  }
}

const maxAttempts = 3;
/**
 * Maximum idle time of a transaction, in milliseconds. A stream is idle while its reader is slow; after this time, it
 * counts as leaked.
 */
const idleLimitMs = 10 * 60_000;

/**
 * Opens an engine on a Postgres server. Every statement runs in a read-only transaction in UTC and reads live rows.
 * @throws DataSourceError if the server is unreachable or the role is a superuser, which could read the server's files.
 */
export async function openPostgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { url, connections = 20 } = options;
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new DataSourceError('The URL of the data source must start with postgres:// or postgresql://.');
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
  // The pool drops and replaces broken connections. Without a listener, the event would crash the process.
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

/** Returns the error for a failed first connection, based on the error code of the server or the system. */
function connectError(code: string): DataSourceError {
  const hint = connectHints.find(([codes]) => codes.test(code))?.[1] ?? 'check its URL, and that the server is running';
  return new DataSourceError(`Could not open the data source (${code}): ${hint}.`);
}

const connectHints: readonly (readonly [codes: RegExp, hint: string])[] = [
  [/^3D000$/, 'the server has no database with this name; check the end of the URL'],
  [
    /^28/,
    'the server rejected the login; check user and password in the URL, and that the role can log in from this machine',
  ],
  [/^(53300|57P03)$/, 'the server has no free connection, or is still starting; try again in a moment'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host is unknown; check the URL'],
  [/^(08\w{3}|E[A-Z]+)$/, 'the server is unreachable; check host and port in the URL, and that it is running'],
];

/** Reads the address from the URL. Discards the error of the client library, because it could quote the URL. */
function addressOf(url: string): ServerAddress {
  try {
    const { host, port, ssl } = new pg.Client({ connectionString: url });
    return { host, port, ssl };
  } catch {
    throw new DataSourceError('The URL of the data source must be like postgres://user:password@host/database.');
  }
}

class PostgresEngine implements Engine {
  readonly dialect = SqlDialect.postgres;
  /** `null`, because rows are read live. */
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

  /** Checks the role and loads the catalog. */
  async start(): Promise<void> {
    const schema = this.#schema;
    try {
      // Connect without the pool, so that the operator gets the error code.
      (await this.#pool.connect()).release();
    } catch (error) {
      const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
      throw connectError(typeof code === 'string' ? code : 'no code');
    }
    const sql = `SELECT current_setting('is_superuser') = 'on', EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = CAST($1 AS text))`;
    const [[isSuperuser] = [], [hasSchema] = []] = (await this.run(sql, [schema])).columns;
    if (isSuperuser === true) {
      throw new DataSourceError('The role of the data source is a superuser. Use a role that can only SELECT.');
    }
    if (hasSchema !== true) throw new DataSourceError(`The data source has no schema ${schema}. Check its name.`);
    await this.#loadCatalog();
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
      // Do not wait for the release of the connection.
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
        // An idle connection may be lost without notice.
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
      cancel: () => requestCancel(this.#address, cancelKey(client)),
      timeoutMs: this.#timeoutMs,
      signal,
      onEnd: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    if (this.#closed) session.stop(stoppedProblem(StopReason.closed));
    return session;
  }

  /**
   * Returns the SQL that begins a transaction. All settings are local to it, so that they also work behind a
   * transaction pooler.
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
      // Optimize cursors for reading all rows, because streams are usually read completely.
      cursor_tuple_fraction: '1',
      standard_conforming_strings: 'on',
    };
    const set = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
    return ['BEGIN READ ONLY', ...set].join('; ');
  }

  #startRefresh(): void {
    this.#refreshing ??= this.#loadCatalog()
      .then(
        () => {
          this.#isLost = false;
        },
        () => this.#reportLoss(),
      )
      .finally(() => {
        this.#refreshing = undefined;
      });
  }

  async #loadCatalog(): Promise<void> {
    this.#catalog = readCatalog((await this.run(catalogSql, [this.#schema])).columns);
  }

  /** Reports a lost connection once until it is restored. */
  #reportLoss(): void {
    if (this.#isLost || this.#closed) return;
    this.#isLost = true;
    this.#options.onProblem?.('The data source is unreachable. Queries fail until it is available again.');
  }

  #warnOfWrites(): void {
    const [first, ...others] = this.#catalog.writable;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    this.#options.onProblem?.(
      `The role of the data source can write to ${first}${more}. Grant it only SELECT. Statements run read-only in any case.`,
    );
  }
}

/** Returns the cancel key of a connection. The client library has it, but does not declare it in its types. */
function cancelKey(client: pg.PoolClient): BackendKey {
  const [processId, secret]: unknown[] = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')];
  if (typeof processId !== 'number' || typeof secret !== 'number')
    throw new LoggableError('The data source provides no key to cancel statements.');
  return { processId, secret };
}
