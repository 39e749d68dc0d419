import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { JsonObject } from '../../contract/wire.js';
import type { SealedSecrets } from '../auth/sealed-secrets.js';
import type { Tokens } from '../auth/tokens.js';
import type { Db } from '../db/database.js';
import type { MountOptions } from './mount.js';

/**
 * Compiles a Vega-Lite specification to Vega, and leaves Vega as it is; throws if a chart could not be drawn by it.
 * @param columns - the columns of the report's query; null if they are not known.
 */
export type CompileChart = (spec: JsonObject, columns: readonly string[] | null) => Promise<JsonObject>;

/** The load query that returns the very same rows as a statement does. */
export interface ConvertedSql {
  readonly query: Query;
  /** By column of the statement: the key of the load query's rows (`cube.member`, `cube.member.granularity`). */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns that are named with AS, otherwise than their members: their names are their headings. */
  readonly aliases: readonly string[];
}

/**
 * The load query that semantic SQL is equal to; null where there is no model to read it by.
 * @throws PlatformError 400 that shows where, for what can't be run; with code `no_load_query` for what no load query can say.
 */
export type ConvertSql = (text: string) => Promise<ConvertedSql | null>;

/** All that is public in the model of the deployment; null where none is served. */
export type PublicModel = () => MetaResponse | null;

/** What the routes of the Platform API work with. */
export interface RouteDeps extends MountOptions {
  readonly db: Db;
  readonly tokens: Pick<Tokens, 'signEmbedToken' | 'verifyEmbedToken' | 'signDataToken' | 'signChatToken'>;
  /** Where the platform is reached from outside; its origin is every deployment's `deploymentUrl`. */
  readonly publicUrl: string;
  /** Base path of the Data API. */
  readonly dataApiPath: string;
  readonly sealedSecrets: SealedSecrets;
  readonly compileChart: CompileChart;
  readonly convertSql: ConvertSql;
  readonly publicModel: PublicModel;
}
