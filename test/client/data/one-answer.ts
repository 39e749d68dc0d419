import { json } from '../fake-service.js';

/** A connection to a service that gives one answer, and what it was asked. */
export function serviceThat(answer: unknown) {
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

/** A connection that `serviceThat` gives. */
export type Connection = ReturnType<typeof serviceThat>['connection'];
