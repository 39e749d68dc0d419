import { randomUUID } from 'node:crypto';

const plain = /^[\w.:-]{1,128}$/;

/** Ids by request, for code that has no access to Hono's context. */
const known = new WeakMap<Request, string>();

/** Returns the id of a request: the client's id if it is short and safe to log, otherwise a generated one. */
export function readRequestId(request: Request): string {
  const id = plainId(request) ?? randomUUID();
  known.set(request, id);
  return id;
}

/** Returns the id that `readRequestId` assigned; otherwise the client's id, or `null` if it sent none. */
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
  /**
   * The raw request target, which also contains a host if it is in absolute form. Named as in Node's `IncomingMessage`.
   */
  readonly url?: string | undefined;
  /** Contains the request target if the listener of `@hono/node-server` calls the platform. */
  readonly incoming?: { readonly url?: string | undefined };
}

/** Environment of an app that reads request ids. */
export type RequestIdEnv = { Variables: { requestId: string }; Bindings: RequestOrigin };
