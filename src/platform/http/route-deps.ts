import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Authenticate } from '../auth/authenticate.js';
import type { ScimCaller } from '../auth/authenticate-scim.js';
import type { ModelTarget } from '../auth/model-target.js';
import type { SecurityContext } from '../auth/principal.js';
import type { SealedSecrets } from '../auth/sealed-secrets.js';
import type { Tokens } from '../auth/tokens.js';
import type { Db } from '../db/database.js';
import type { MountOptions } from './mount.js';

/**
 * Compiles a Vega-Lite specification to Vega; returns Vega unchanged. Throws if the specification cannot be rendered.
 * @param columns - columns of the report's query; `null` if unknown.
 */
export type CompileChart = (spec: JsonObject, columns: readonly string[] | null) => Promise<JsonObject>;

/** A load query that returns the same rows as an SQL statement. */
export interface ConvertedSql {
  readonly query: Query;
  /** Maps columns of the statement to keys of the load query's rows (`cube.member`, `cube.member.granularity`). */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns that the statement renames with AS. These names are used as headings. */
  readonly aliases: readonly string[];
}

/**
 * Converts semantic SQL to the equivalent load query of a deployment's production model; `null` if no model is served.
 * @throws PlatformError 400 with the position of the error, or with the code `no_load_query` if no load query is
 * equivalent.
 */
export type ConvertSql = (text: string, deploymentId: number) => Promise<ConvertedSql | null>;

/** Returns the public part of a deployment's production model; `null` if no model is served. */
export type PublicModel = (deploymentId: number) => MetaResponse | null | Promise<MetaResponse | null>;

/** A problem in a model file. */
export interface ModelProblemText {
  readonly file: string;
  readonly line: number;
  /** Column, starting at 1, if known. */
  readonly column?: number;
  readonly message: string;
}

/** The result of a check of model files. */
export interface ModelCheck {
  /** Number of cubes and views; 0 if the model is invalid. */
  readonly entities: number;
  /** Names of the public members; none if the model is invalid. */
  readonly members: ReadonlySet<string>;
  readonly problems: readonly ModelProblemText[];
  readonly warnings: readonly ModelProblemText[];
}

/** Options of a generated model. */
export interface GenerateOptions {
  /** Tables that get a cube; `null` for all. */
  readonly tables: readonly string[] | null;
  /** Name of the column with the tenant, in addition to the usual names; `null` if there is none. */
  readonly tenantColumn: string | null;
  /** Whether all users see the rows of tables without a tenant column. */
  readonly allowAll: boolean;
}

/** Access to the model and the rows with the permissions of one viewer. */
export interface ViewerData {
  /** Returns the part of the model that is visible to the viewer. */
  meta(): MetaResponse | Promise<MetaResponse>;
  /** Returns rows of a query. */
  load(query: Query, options: { readonly signal: AbortSignal }): Promise<{ readonly rowSet: RowSet }>;
}

/** Access to the rows of any report. */
export interface ReportData extends ViewerData {
  /** Returns rows of semantic SQL. */
  sql(text: string, options: { readonly signal: AbortSignal; readonly maxRows?: number }): Promise<RowSet>;
}

/** For tests: replaces the check of addresses of other services, and allows HTTP. */
interface OAuthTesting {
  readonly isAllowedAddress: (address: string) => boolean;
}

/** Dependencies of the routes of the Platform API. */
export interface RouteDeps extends MountOptions {
  readonly db: Db;
  /** Identifies the caller of the Provisioning API. */
  readonly authenticateScim: Authenticate<ScimCaller>;
  readonly tokens: Pick<
    Tokens,
    'signEmbedToken' | 'signAccessToken' | 'verifyEmbedToken' | 'signDataToken' | 'signChatToken'
  >;
  /** Public URL of the platform; the `deploymentUrl` of every deployment has its origin. */
  readonly publicUrl: string;
  /** Base path of the Data API. */
  readonly dataApiPath: string;
  readonly sealedSecrets: SealedSecrets;
  readonly compileChart: CompileChart;
  readonly convertSql: ConvertSql;
  readonly publicModel: PublicModel;
  /** Whether the platform records its own usage and serves it as a model. */
  readonly hasUsageAnalytics: boolean;
  /** Name of the OpenID provider with which users sign in; `null` if there is none. */
  readonly signInProvider: string | null;
  /** Called with failures of work that continues after the response. */
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Hosts of OAuth integrations; none by default. */
  readonly oauth: { readonly hosts?: readonly string[]; readonly testing?: OAuthTesting };
  /** Options of git hosts; for tests, `testing` is a folder with bare repositories that replaces all hosts. */
  readonly gitHosts: {
    readonly privateHosts?: readonly string[];
    readonly certificateFile?: string;
    readonly testing?: { readonly folder: string };
  };
  /** Hosts of the services whose tools agents can use; none by default. */
  readonly agentTools: { readonly hosts?: readonly string[]; readonly testing?: OAuthTesting };
  /** Kinds of channels that can be recipients of notifications. */
  readonly channels: { readonly hasSlack: boolean; readonly webhookHosts: readonly string[] };
  /**
   * Folder with the repositories and source files of all deployments except the folder deployment; `null` without a
   * data folder.
   */
  readonly deploymentsDirectory: string | null;
  /** Compiles files with the tables of a deployment, and checks their SQL without running it. */
  readonly checkModel: (
    deploymentId: number,
    files: readonly { readonly name: string; readonly text: string }[],
  ) => Promise<ModelCheck>;
  /**
   * Returns generated model files for tables of a deployment, by path.
   * @throws PlatformError 400 for an unknown table or column.
   */
  readonly generateModel: (deploymentId: number, options: GenerateOptions) => Promise<ReadonlyMap<string, string>>;
  /** Makes changed tables of a deployment available to queries. */
  readonly refreshTables: (deploymentId: number) => Promise<void>;
  /** Closes the engine and the models of a deployment that was deleted. */
  readonly forgetDeployment: (deploymentId: number) => Promise<void>;
  /** Returns the data of a model for a viewer with this security context; `null` if no model is served. */
  readonly dataOf: (context: SecurityContext, target: ModelTarget) => ReportData | null;
}
