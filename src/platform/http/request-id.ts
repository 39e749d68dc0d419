import { randomUUID } from 'node:crypto';

const plain = /^[\w.:-]{1,128}$/;

/** Ids of requests, for whoever has nothing but the request. */
const known = new WeakMap<Request, string>();

/** The id of a request: the caller's where it is short and plain, so that it can stand in a log as it is, else one of ours. */
export function readRequestId(request: Request): string {
  const id = plainId(request) ?? randomUUID();
  known.set(request, id);
  return id;
}

/** The id that was read of a request; where none was, the caller's, and null where that is none. */
export function requestIdOf(request: Request): string | null {
  return known.get(request) ?? plainId(request);
}

function plainId({ headers }: Request): string | null {
  const given = headers.get('x-request-id');
  return given !== null && plain.test(given) ? given : null;
}

/** Where a request comes from, as far as whoever listens knows it. */
export interface RequestOrigin {
  /** IP address; behind a trusted proxy the one that the proxy tells. */
  readonly remoteAddress?: string | undefined;
  /** What the caller wrote as `Host`, where a trusted proxy tells it; else the header of the request counts. */
  readonly host?: string;
  /** `https` or `http`, where a trusted proxy tells which of them the caller has used. */
  readonly scheme?: string;
  /** The request target as it arrived: in absolute form it names a host too. `IncomingMessage` of Node has it under this name. */
  readonly url?: string | undefined;
  /** Has the request target if the platform is called by the listener of `@hono/node-server`. */
  readonly incoming?: { readonly url?: string | undefined };
}

/** What an app puts beside a request once it has read its id, and what came with it. */
export type RequestIdEnv = { Variables: { requestId: string }; Bindings: RequestOrigin };
