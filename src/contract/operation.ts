import type * as z from 'zod/mini';

/** Any zod schema. */
export type Schema = z.ZodMiniType;

/**
 * Who may call an operation: anyone (the request body contains the credential), any authenticated principal, or
 * principals with at least the role AI BI Viewer, User, Developer or Admin (spec 5). Access to the requested item is
 * checked separately.
 */
export type OperationAccess = 'public' | 'authenticated' | 'viewer' | 'user' | 'developer' | 'admin';

/**
 * One HTTP operation, declared once: the platform mounts its route and the client calls it from this declaration.
 * `path` contains `{name}` for each path parameter. `params` and `query` parse text, so their schemas coerce numbers.
 */
export interface OperationShape {
  /** `operationId` in the API document. */
  readonly id: string;
  readonly api: 'platform' | 'data' | 'chat';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly access: OperationAccess;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /**
   * Schema of the fields of a `multipart/form-data` body, instead of `body`. The handler reads them after it has
   * checked the caller's access, because they can be large.
   */
  readonly form?: Schema;
  /** Maximum size of the body in bytes. Defaults to the 1 MB of the Platform API. */
  readonly maxBodyBytes?: number;
  /** Schema of the 200 body; `null` if success is 204 without a body, or a file. */
  readonly response: Schema | null;
  /** Media types of the file that a successful response contains instead of JSON; `response` is then `null`. */
  readonly file?: readonly string[];
  /** True if the success status is 201, because the operation creates the resource that it returns. */
  readonly isCreation?: true;
  /** Media type of requests and responses; defaults to `application/json`, which requests may always use. */
  readonly mediaType?: 'application/scim+json';
  /** Error responses by status, each described by a sentence, in addition to those that all operations have. */
  readonly errors: Readonly<Record<number, string>>;
}

type Input<S> = S extends Schema ? z.input<S> : undefined;
type Output<S> = S extends Schema ? z.output<S> : undefined;

/** Path parameters of an operation, as input. */
export type ParamsOf<O extends OperationShape> = Input<O['params']>;
/** Query parameters of an operation, as input. */
export type QueryOf<O extends OperationShape> = Input<O['query']>;
/** Body of an operation, as input. */
export type BodyOf<O extends OperationShape> = Input<O['body']>;
/** Fields of the `multipart/form-data` body of an operation, as input. */
export type FormOf<O extends OperationShape> = Input<O['form']>;
/** Success body of an operation; `undefined` for 204. */
export type ResponseOf<O extends OperationShape> = Output<O['response']>;

/**
 * Declares an operation with its literal type.
 * @__NO_SIDE_EFFECTS__
 */
export function operation<const O extends OperationShape>(shape: O): O {
  return shape;
}
