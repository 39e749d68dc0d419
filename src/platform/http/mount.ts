import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { ChatSessionSettings } from '../../contract/chat.js';
import { describeIssues } from '../../contract/messages.js';
import { nearestName } from '../../contract/nearest-name.js';
import type { OperationShape, ResponseOf, Schema } from '../../contract/operation.js';
import { Query } from '../../contract/query.js';
import type { Authenticate } from '../auth/authenticate.js';
import type { Principal } from '../auth/principal.js';
import { canCall } from '../auth/rights.js';
import { PlatformError } from '../errors.js';
import { readBody } from './read-body.js';
import type { RequestOrigin } from './request-id.js';

/**
 * Fields that are rejected at the top level of a body instead of ignored. If such a field were ignored, a response
 * could contain more than the caller requested, or rows instead of SQL (`format`).
 */
const restrictiveNames = [
  ...Object.keys(Query.shape),
  ...Object.keys(ChatSessionSettings.shape),
  'subqueryJoins',
  'memberExpressions',
  'expression',
  'functions',
  'format',
  '__proto__',
];

/** Limits the cost of comparing names. A body with more unknown fields is passed to its schema, which rejects it. */
const maxUnknownFields = 100;

/**
 * Removes the top-level fields that a schema does not declare, so that newer clients can call this platform. Keeps
 * fields whose name equals or resembles a known or restrictive name, so that the strict schema rejects them.
 */
export function dropUnknownFields(schema: Schema, body: unknown): unknown {
  if (!(schema instanceof z.ZodMiniObject) || typeof body !== 'object' || body === null || Array.isArray(body))
    return body;
  const known = Object.keys(schema.shape);
  const isUnknown = (name: string) => !known.includes(name);
  const entries = Object.entries(body);
  if (entries.filter(([name]) => isUnknown(name)).length > maxUnknownFields) return body;
  const names = [...known, ...restrictiveNames];
  const isRejected = (name: string) => names.includes(name) || nearestName(name, names) !== undefined;
  return Object.fromEntries(entries.filter(([name]) => isRejected(name)));
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type PrincipalOf<O extends OperationShape, P> = O['access'] extends 'public' ? null : P;
/** The part of a principal that `mount` needs. */
type AnyPrincipal = Pick<Principal, 'rights'>;

/** One call of an operation: the parsed input and the caller. */
export interface Call<O extends OperationShape, P = Principal> {
  readonly params: Parsed<O['params']>;
  readonly query: Parsed<O['query']>;
  readonly body: Parsed<O['body']>;
  readonly principal: PrincipalOf<O, P>;
  readonly request: Request;
  /** Address of the client; `null` if unknown. */
  readonly address: string | null;
}

/** A success body that is already serialized as UTF-8 JSON, for example by a cache. */
export class SerializedJson {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
}

/** A success with additional headers. With `null` as body, the status is 304. */
export class AnswerWithHeaders<T> {
  readonly body: T | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: T | null, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** A success body that is a file, sent as an attachment. */
export class FileAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  /** Name of the file with its extension. */
  readonly name: string;

  constructor(file: Pick<FileAnswer, 'bytes' | 'mediaType' | 'name'>) {
    this.bytes = file.bytes;
    this.mediaType = file.mediaType;
    this.name = file.name;
  }

  /** The headers of RFC 6266, with the name in UTF-8, and an ASCII name for old clients. */
  get headers(): Record<string, string> {
    const plain = this.name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
    const encoded = encodeURIComponent(this.name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16)}`);
    return {
      'content-type': this.mediaType,
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      'x-content-type-options': 'nosniff',
    };
  }
}

/** Handles an operation. Throws a PlatformError for every response other than success. */
export type Handler<O extends OperationShape, P = Principal> = (
  call: Call<O, P>,
) => Promise<ResponseOf<O> | SerializedJson | FileAnswer | AnswerWithHeaders<ResponseOf<O>>>;

const roleNames = {
  authenticated: '',
  viewer: 'AI BI Viewer',
  user: 'AI BI User',
  developer: 'AI BI Developer',
  admin: 'admin',
} as const;

const json = { 'content-type': 'application/json' } as const;
const defaultMaxBodyBytes = 1024 * 1024;

/** Options that all routes share. */
export interface MountOptions<P = Principal> {
  readonly authenticate: Authenticate<P>;
  /** Maximum body size in bytes for operations that do not declare one; 1 MB by default. */
  readonly maxBodyBytes?: number;
}

/**
 * Mounts an operation of the contract. Method, path, access and parsing come from its declaration.
 */
export function mount<O extends OperationShape, P extends AnyPrincipal = Principal>(
  app: Hono,
  operation: O,
  options: MountOptions<P>,
  handler: Handler<O, P>,
): void {
  app.on(operation.method, routePath(operation), async context => {
    const answer = await handler(await readCall(context, operation, options));
    if (answer instanceof SerializedJson) return context.body(answer.bytes, 200, json);
    if (answer instanceof FileAnswer) return context.body(answer.bytes, 200, answer.headers);
    const { body, headers } = answer instanceof AnswerWithHeaders ? answer : { body: answer, headers: {} };
    if (operation.response === null) return context.body(null, 204, headers);
    if (body === null) return context.body(null, 304, headers);
    const type = operation.mediaType ?? json['content-type'];
    return context.body(JSON.stringify(body), operation.isCreation ? 201 : 200, { ...headers, 'content-type': type });
  });
}

/** Returns the path of an operation in the syntax of the router. */
export function routePath({ path }: OperationShape): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Reads one call of an operation. Authenticates the caller before it reads the input. */
export async function readCall<O extends OperationShape, P extends AnyPrincipal = Principal>(
  context: Context,
  operation: O,
  { authenticate, maxBodyBytes = defaultMaxBodyBytes }: MountOptions<P>,
): Promise<Call<O, P>> {
  const request = context.req.raw;
  const principal = await admit(operation, authenticate, context);
  // The cast is safe, because the schemas of this operation have validated the input.
  return {
    params: parse('path', operation.params, context.req.param()),
    query: parse('query', operation.query, readQuery(context, operation.query)),
    body: parse('body', operation.body, await readInput(context, operation, maxBodyBytes)),
    principal,
    request,
    address: addressOf(context),
  } as Call<O, P>;
}

/** Returns the address of the client; `null` if the app is called without a listener, as in tests. */
function addressOf({ env }: Context): string | null {
  const origin: RequestOrigin | undefined = env;
  return origin?.remoteAddress ?? null;
}

/**
 * Returns the query parameters: all values of parameters that the schema declares as lists, and the first value of
 * others.
 */
function readQuery(context: Context, schema: Schema | undefined): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = context.req.query();
  if (!(schema instanceof z.ZodMiniObject)) return query;
  const all = context.req.queries();
  const lists = Object.keys(schema.shape).filter(name => Object.hasOwn(all, name) && isList(schema.shape[name]));
  return { ...query, ...Object.fromEntries(lists.map(name => [name, all[name] ?? []])) };
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) return isList(schema.def.innerType);
  return schema instanceof z.ZodMiniArray;
}

async function admit<P extends AnyPrincipal>(
  operation: OperationShape,
  authenticate: Authenticate<P>,
  { req }: Context,
): Promise<P | null> {
  if (operation.access === 'public') return null;
  const principal = await authenticate(req.raw, req.param());
  if (!canCall(principal.rights, operation.access)) {
    throw new PlatformError(403, `This operation requires the ${roleNames[operation.access]} role.`);
  }
  return principal;
}

/** Returns the JSON of a body. For the Chat API, drops unknown fields, which newer clients may send. */
async function readInput(context: Context, operation: OperationShape, maxBodyBytes: number): Promise<unknown> {
  const { api, body } = operation;
  if (!body) return undefined;
  const input = await readJson(context, operation, maxBodyBytes);
  return api === 'chat' ? dropUnknownFields(body, input) : input;
}

async function readJson(context: Context, operation: OperationShape, maxBodyBytes: number): Promise<unknown> {
  const text = await readBody(context.req.raw, { maxBytes: operation.maxBodyBytes ?? maxBodyBytes });
  if (text === '') return {};
  const type = context.req.header('content-type') ?? '';
  const { mediaType = 'application/json' } = operation;
  if (!['application/json', mediaType].includes(type.split(';', 1)[0]?.trim().toLowerCase() ?? '')) {
    // Return 400 instead of 415 for the Chat API, because its clients expect this status.
    throw new PlatformError(operation.api === 'platform' ? 415 : 400, `Send the body as ${mediaType}.`);
  }
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
