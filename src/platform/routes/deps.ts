import type { JsonObject } from '../../contract/wire.js';
import type { Tokens } from '../auth/tokens.js';
import type { MountOptions } from '../mount.js';
import type { Db } from '../store/database.js';

/** Compiles a Vega-Lite specification to Vega, and leaves Vega as it is; throws where a chart could not be drawn by it. */
export type CompileChart = (spec: JsonObject) => Promise<JsonObject>;

/** What the routes of the Platform API work with. */
export interface PlatformRoutesDeps extends MountOptions {
  readonly db: Db;
  readonly tokens: Pick<Tokens, 'signEmbedToken' | 'signDataToken' | 'signChatToken'>;
  /** Where the platform is reached from outside; its origin is every deployment's `deploymentUrl`. */
  readonly publicUrl: string;
  readonly compileChart: CompileChart;
}
