// Loaded by dynamic import alone: 80 KB that only pages with an uncompiled Vega-Lite specification need.
import { compile, type TopLevelSpec } from 'vega-lite';
import type { JsonObject } from '../contract/wire.js';
import { collecting } from './offline.js';

/** Compiles Vega-Lite to Vega. What `spec` says wins over `config`; an invalid specification throws. */
export function compileSpec(spec: JsonObject, config: JsonObject): unknown {
  return compile(spec as unknown as TopLevelSpec, { config, logger: collecting([]) }).spec;
}
