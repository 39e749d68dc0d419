import { randomUUID } from 'node:crypto';

const plain = /^[\w.:-]{1,128}$/;

/** Ids by request, for code that has no access to the context. */
const known = new WeakMap<Request, string>();

/** The id of a request: the client's if it is short and plain enough for a log, else a generated one. */
export function readRequestId(request: Request): string {
  const id = plainId(request) ?? randomUUID();
  known.set(request, id);
  return id;
}

/** The id that `readRequestId` assigned; otherwise the client's id, or `null` if it has none. */
export function requestIdOf(request: Request): string | null {
  return known.get(request) ?? plainId(request);
}

function plainId({ headers }: Request): string | null {
  const given = headers.get('x-request-id');
  return given !== null && plain.test(given) ? given : null;
}

/** What the server knows about the origin of a request. */
export interface RequestOrigin {
  /** IP address of the client; behind a trusted proxy, the address that the proxy forwards. */
  readonly remoteAddress?: string | undefined;
  /** The client's `Host`, if a trusted proxy forwards it; else the header of the request is used. */
  readonly host?: string;
  /** `https` or `http`, if a trusted proxy forwards the client's scheme. */
  readonly scheme?: string;
  /** The raw request target; in absolute form it contains a host too. `IncomingMessage` of Node uses the same name. */
  readonly url?: string | undefined;
  /** Contains the request target if the platform is called by the listener of `@hono/node-server`. */
  readonly incoming?: { readonly url?: string | undefined };
}

/** Environment of an app that reads request ids. */
export type RequestIdEnv = { Variables: { requestId: string }; Bindings: RequestOrigin };
