// This module is only imported dynamically, because only pages with an uncompiled Vega-Lite specification need its 80
// KB. Like `vega.ts`, it imports no other module of this package, so that both can be prebuilt as separate chunks.
import type { LoggerInterface } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { JsonObject } from '../contract/wire.js';

/** Compiles Vega-Lite to Vega. Settings of `spec` override `config`. Throws if the specification is invalid. */
export function compileSpec(spec: JsonObject, config: JsonObject, logger: LoggerInterface): unknown {
  return compile(spec as unknown as TopLevelSpec, { config, logger }).spec;
}
