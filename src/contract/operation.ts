import type * as z from 'zod/mini';

/** Any schema of the contract. */
export type Schema = z.ZodMiniType;

/**
 * Who may call an operation: anyone (the body is the credential), any authenticated principal, or whoever has at least the role AI BI
 * Viewer, User, Developer or Admin (spec 5). What it may be called for is settled by the access to the item that it names.
 */
export type OperationAccess = 'public' | 'authenticated' | 'viewer' | 'user' | 'developer' | 'admin';

/**
 * One HTTP operation, declared once: the platform mounts its route from it and the client calls through it.
 * `path` holds `{name}` for each path parameter; `params` and `query` read text, so numbers in them are coerced.
 */
export interface OperationShape {
  /** The `operationId` of the API document. */
  readonly id: string;
  readonly api: 'platform' | 'data' | 'chat';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly access: OperationAccess;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Most bytes of a body, where that is another number than the 1 MB of the Platform API. */
  readonly maxBodyBytes?: number;
  /** The 200 body; `null` where success is 204 without one. */
  readonly response: Schema | null;
  /** The error answers that the operation has beside 400 (bad input), 401 and 403: status to its reason. */
  readonly errors: Readonly<Record<number, string>>;
}

type Input<S> = S extends Schema ? z.input<S> : undefined;
type Output<S> = S extends Schema ? z.output<S> : undefined;

/** Path parameters of an operation, as a caller writes them. */
export type ParamsOf<O extends OperationShape> = Input<O['params']>;
/** Query parameters of an operation, as a caller writes them. */
export type QueryOf<O extends OperationShape> = Input<O['query']>;
/** Body of an operation, as a caller writes it. */
export type BodyOf<O extends OperationShape> = Input<O['body']>;
/** Success body of an operation; `undefined` for 204. */
export type ResponseOf<O extends OperationShape> = Output<O['response']>;

/**
 * Declares an operation and keeps its literal type.
 * @__NO_SIDE_EFFECTS__
 */
export function operation<const O extends OperationShape>(shape: O): O {
  return shape;
}
