import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { OperationShape, ResponseOf, Schema } from '../contract/operation.js';
import { PlatformError } from './errors.js';
import type { Principal } from './principal.js';
import { readBody } from './read-body.js';

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type PrincipalOf<O extends OperationShape> = O['access'] extends 'public' ? null : Principal;

/** One call of an operation: its input as the contract parsed it, and who calls. */
export interface Call<O extends OperationShape> {
  readonly params: Parsed<O['params']>;
  readonly query: Parsed<O['query']>;
  readonly body: Parsed<O['body']>;
  readonly principal: PrincipalOf<O>;
}

/** What answers an operation; it throws PlatformError for everything but success. */
export type Handler<O extends OperationShape> = (call: Call<O>) => Promise<ResponseOf<O>>;

/** Finds out who calls; throws PlatformError 401. */
export type Authenticate = (request: Request) => Promise<Principal>;

const maxBodyBytes = 4 * 1024 * 1024;

/** What every route shares. */
export interface MountOptions {
  readonly authenticate: Authenticate;
}

/**
 * Mounts an operation of the contract: method, path, access and parsing come from its declaration, so a handler holds rules alone.
 * Who calls is settled before the input is looked at.
 */
export function mount<O extends OperationShape>(
  app: Hono,
  operation: O,
  options: MountOptions,
  handler: Handler<O>,
): void {
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
  app.on(operation.method, path, async context => {
    const principal = await admit(operation, options.authenticate, context.req.raw);
    // The three `as` below say what the schemas of this very operation have just checked.
    const answer = await handler({
      params: parse('path', operation.params, context.req.param()),
      query: parse('query', operation.query, context.req.query()),
      body: parse('body', operation.body, operation.body ? await readJson(context) : undefined),
      principal,
    } as Call<O>);
    return operation.response === null ? context.body(null, 204) : context.json(answer as object);
  });
}

async function admit(
  operation: OperationShape,
  authenticate: Authenticate,
  request: Request,
): Promise<Principal | null> {
  if (operation.access === 'public') return null;
  const principal = await authenticate(request);
  if (operation.access === 'admin' && principal.role !== 'admin') {
    throw new PlatformError(403, 'This operation needs the admin role.');
  }
  return principal;
}

async function readJson(context: Context): Promise<unknown> {
  const text = await readBody(context.req.raw, maxBodyBytes);
  if (text === '') return {};
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) throw new PlatformError(400, 'Send the body as application/json.');
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError(400, 'The body is not valid JSON.');
  }
}

function parse(where: string, schema: Schema | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  throw new PlatformError(400, describeIssues(where, result.error.issues));
}

/** Names the field of every issue: `body.settings.locale: Too big …`. */
export function describeIssues(where: string, issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 5)
    .map(issue => `${[where, ...issue.path.map(String)].join('.')}: ${issue.message}`)
    .join('; ');
}
