import { Hono } from 'hono';
import { createApp } from '../../src/platform/app.js';
import { adminRights } from '../../src/platform/auth/rights.js';

/** Creates an app without operations, which treats every caller as an administrator and returns 404 for every path. */
export function emptyApp(publicUrl: string): ReturnType<typeof createApp> {
  return createApp({
    publicUrl: new URL(publicUrl),
    allowOrigins: [],
    dataApiPath: '/data-api',
    authenticate: async () => ({ kind: 'api-key', userId: 1, keyId: 1, rights: adminRights }),
    platformRoutes: new Hono(),
    dataRoutes: new Hono(),
    chatRoutes: new Hono(),
    onFailure: error => {
      throw error;
    },
  });
}
