import { operation } from './operation.js';
import { JsonObject } from './wire.js';

/** Returns the OpenAPI 3.1 document of the Platform API, as implemented by the running version. */
export const getSpec = operation({
  id: 'getSpec',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/spec',
  access: 'authenticated',
  response: JsonObject,
  errors: {},
});
