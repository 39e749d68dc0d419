import * as z from 'zod/mini';
import { operation } from './operation.js';
import { optional, PageQuery, pageOf } from './wire.js';

/** A region where deployments can run. */
export const Region = z.looseObject({
  id: z.int(),
  name: z.string(),
  title: optional(z.string()),
  provider: optional(z.string()),
  isDedicated: optional(z.boolean()),
  isHybrid: optional(z.boolean()),
  isPublic: optional(z.boolean()),
  useAiEngineer: optional(z.boolean()),
});
/** A region where deployments can run. */
export type Region = z.infer<typeof Region>;

/** Lists the regions. The only region is `local`, the machine on which the platform runs. */
export const listRegions = operation({
  id: 'listRegions',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/regions',
  access: 'viewer',
  query: PageQuery,
  response: pageOf(Region),
  errors: {},
});
