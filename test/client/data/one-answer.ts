import { json } from '../fake-service.js';

/** Returns a connection to a service with one response, and the requests it received. */
export function serviceReturning(answer: unknown) {
  const seen: string[] = [];
  const connection = {
    baseUrl: 'https://platform.example',
    token: 'a-key',
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const { pathname, search } = new URL(String(input));
      const path = `${pathname}${search}`.replace('/api/v1/deployments/1', '');
      seen.push([init.method, path, init.body].filter(Boolean).join(' '));
      return answer === undefined ? new Response(null, { status: 204 }) : json(answer);
    },
  };
  return { connection, seen };
}

/** A connection created by `serviceThat`. */
export type Connection = ReturnType<typeof serviceReturning>['connection'];
