// Loaded by dynamic import alone: 80 KB that only pages with an uncompiled Vega-Lite specification need. Like `vega.ts` it
// imports nothing of ours, so that the two can be built ahead as chunks of their own.
import type { LoggerInterface } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { JsonObject } from '../contract/wire.js';

/** Compiles Vega-Lite to Vega. What `spec` says wins over `config`; an invalid specification throws. */
export function compileSpec(spec: JsonObject, config: JsonObject, logger: LoggerInterface): unknown {
  return compile(spec as unknown as TopLevelSpec, { config, logger }).spec;
}
