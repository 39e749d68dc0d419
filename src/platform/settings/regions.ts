import type { Hono } from 'hono';
import { listRegions, type Region } from '../../contract/regions.js';
import { pageOfList } from '../http/paging.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';

const here: Region = {
  id: 1,
  name: 'local',
  title: 'Where the platform runs',
  provider: null,
  isDedicated: true,
  isHybrid: false,
  isPublic: false,
  useAiEngineer: false,
};

/** Mounts the route that lists regions (operations.md, Regions), which contains exactly one region. */
export function mountRegions(app: Hono, deps: RouteDeps): void {
  serve(app, listRegions, deps, async ({ query }) => pageOfList([here], query));
}
