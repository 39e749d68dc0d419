import { jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { listen } from '../../../../src/cli/server/listen.js';
import { JsonObject } from '../../../../src/contract/wire.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import { openDataApi } from '../../../../src/platform/data/open-data.js';
import type { QueryLimits } from '../../../../src/platform/data/query-limits.js';
import type { UpstreamOptions } from '../../../../src/platform/data/upstream/upstream-options.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { secret } from './fake-cluster.js';

const Context: z.ZodMiniType<SecurityContext> = z.catchall(
  z.object({ platform: z.object({ groups: z.array(z.string()), userAttributes: JsonObject }) }),
  z.unknown(),
);

/** Options of a second platform. */
export interface SecondOptions {
  readonly modelDirectory: string;
  readonly sourcesDirectory: string;
  readonly limits?: QueryLimits;
}

/** Starts the Data API of a platform as a cluster. Holders of the secret choose the security context. */
export async function startSecondPlatform({ limits = {}, modelDirectory, sourcesDirectory }: SecondOptions) {
  const data = await openDataApi({
    modelDirectory,
    place: { kind: 'files', directory: sourcesDirectory },
    limits,
    onNotice: () => {},
    onProblem: problem => console.error(problem),
    onReloadFailure: () => {},
  });
  const listener = await listen({ host: '127.0.0.1', port: 0 });
  const key = new TextEncoder().encode(secret);
  let requests = 0;
  const routes = data.routes({
    async authenticate(request) {
      requests += 1;
      const token = request.headers.get('authorization') ?? '';
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp'] }).catch(() => {
        throw new PlatformError(403, 'Invalid token');
      });
      const { iat: _, exp: __, ...context } = payload;
      // The holder of the secret has already authorized the caller.
      return { securityContext: Context.parse(context), isDeveloper: true };
    },
    onFailure: error => console.error(error),
  });
  listener.serve(async request => routes.fetch(request));
  const upstream: UpstreamOptions = { url: listener.url, secret };
  return {
    upstream,
    /** Number of received requests. */
    requests: () => requests,
    async stop() {
      await listener.close(0);
      await data.close();
    },
  };
}
