import type { Hono } from 'hono';
import { getSpec } from '../../contract/spec.js';
import type { JsonObject } from '../../contract/wire.js';
import { openApiDocument } from '../openapi.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';

/** The API's own description (spec 1, operations facts, OpenAPI Spec). */
export function mountSpec(app: Hono, deps: PlatformRoutesDeps): void {
  let document: JsonObject | undefined;
  serve(app, getSpec, deps, async () => (document ??= openApiDocument(deps.publicUrl)));
}
