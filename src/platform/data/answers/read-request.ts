import * as z from 'zod/mini';
import { maxBatchRequests } from '../../../contract/load-batch.js';
import { describeIssues } from '../../../contract/messages.js';
import { LoadRequest, type QuerySet } from '../../../contract/query.js';
import { ConvertQueryRequest, SqlRequest } from '../../../contract/sql.js';
import { PlatformError } from '../../errors.js';
import { dropUnknownFields } from '../../http/mount.js';

/** Maximum length of an error message. Paths in messages can be as long as the nesting of the body is deep. */
const maxMessage = 200;
const parameterNames: ReadonlySet<string> = new Set(['query', 'queryType', 'cache']);

/**
 * Reads the body of a load request from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readLoadRequest(text: string): LoadRequest {
  return readBodyAs(LoadRequest, parseJson('body', text));
}

/**
 * Reads the requests of a batch from JSON text. `readBatchPart` validates each of them, so that an invalid one does not
 * affect the others.
 * @throws PlatformError 400 unless the body is a list of 1 to 64 requests.
 */
export function readBatch(text: string): readonly unknown[] {
  const body = parseText('body', text);
  const requests =
    typeof body === 'object' && body !== null && Object.hasOwn(body, 'requests') && 'requests' in body
      ? body.requests
      : undefined;
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > maxBatchRequests) {
    throw new PlatformError(400, `requests: must be a list of 1 to ${maxBatchRequests} load requests.`);
  }
  return requests;
}

/**
 * Reads one request of a batch.
 * @throws PlatformError 400 that names the field.
 */
export function readBatchPart(part: unknown): LoadRequest {
  rejectProto('body', part);
  return readBodyAs(LoadRequest, part);
}

/**
 * Reads a load request from URL parameters: `query` is JSON text, `queryType` and `cache` are plain text.
 * @throws PlatformError 400 that names the parameter.
 */
export function readLoadParameters(parameters: URLSearchParams): LoadRequest {
  const names = [...parameters.keys()];
  const unknown = names.find(name => !parameterNames.has(name));
  if (unknown !== undefined) throw new PlatformError(400, `parameters: unknown parameter ${quoteName(unknown)}.`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new PlatformError(400, `parameters: ${twice} can be set only once.`);
  const query = parameters.get('query');
  if (query === null) throw new PlatformError(400, 'query: send the query as JSON in the parameter "query".');
  return readAs(LoadRequest, 'parameters', { ...Object.fromEntries(parameters), query: parseJson('query', query) });
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 50));
}

/**
 * Parses JSON text.
 * @throws PlatformError 400 for invalid JSON, and for `__proto__` keys, which schemas ignore silently.
 */
function parseJson(where: string, text: string): unknown {
  const value = parseText(where, text);
  // The key can be written with escapes.
  if (text.includes('__proto__') || text.includes('\\u')) rejectProto(where, value);
  return value;
}

/** @throws PlatformError 400 for invalid JSON. */
function parseText(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError(400, `${where}: not valid JSON.`);
  }
}

/** @throws PlatformError 400 for `__proto__` keys, which schemas ignore silently. */
function rejectProto(where: string, value: unknown): void {
  const hidden = findProto(where, value);
  if (hidden !== undefined)
    throw new PlatformError(400, `${hidden.slice(0, maxMessage)}: __proto__ is not allowed as a key.`);
}

/** Returns the path of an object with a `__proto__` key, which schemas ignore silently. */
function findProto(where: string, value: unknown): string | undefined {
  const rest: [path: string, value: unknown][] = [[where, value]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [path, inner] = next;
    if (typeof inner !== 'object' || inner === null) continue;
    if (Object.hasOwn(inner, '__proto__')) return path;
    for (const [key, one] of Object.entries(inner)) rest.push([`${path}.${key.slice(0, 50)}`, one]);
  }
  return undefined;
}

/**
 * Validates a JSON body with a schema. Ignores unknown top-level fields that newer clients may send (see
 * `dropUnknownFields`).
 * @throws PlatformError 400 that names the field.
 */
function readBodyAs<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  return readAs(schema, 'body', dropUnknownFields(schema, body));
}

/**
 * Validates a value with a schema.
 * @throws PlatformError 400 that names the field.
 */
function readAs<S extends z.ZodMiniType>(schema: S, where: string, input: unknown): z.output<S> {
  try {
    const result = z.safeParse(schema, input);
    if (result.success) return result.data;
    const issues = result.error.issues.map(closestIssue);
    throw new PlatformError(400, describeIssues(where, issues).slice(0, maxMessage));
  } catch (error) {
    // Thousands of nested filters overflow the parser's stack; no valid query is nested that deeply.
    if (error instanceof RangeError) throw new PlatformError(400, `${where}: nested too deeply.`);
    throw error;
  }
}

/** For a failed union, returns the first issue of the closest choice, because that issue names the invalid field. */
function closestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const choices = issue.errors.map(errors => errors.map(closestIssue));
  const [best] = choices.sort((a, b) => severity(a) - severity(b) || depth(b) - depth(a));
  const inner = best?.[0];
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

/** Returns how badly a value fits one option of a union: 2 for a wrong type, 1 for unknown keys, 0 otherwise. */
function severity(issues: readonly z.core.$ZodIssue[]): number {
  if (issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)) return 2;
  return issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ? 1 : 0;
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.slice(0, 100).map(({ path }) => path.length));
}

/** A request to `/v1/sql`: a statement to run, or load queries whose SQL is requested. */
type SqlInput =
  | { readonly kind: 'statement'; readonly request: SqlRequest }
  | { readonly kind: 'queries'; readonly queries: QuerySet };

/**
 * Reads the body of `/v1/sql` from JSON text. The type of `query` determines the kind of request.
 * @throws PlatformError 400 that names the field.
 */
export function readSqlInput(text: string): SqlInput {
  const body = parseJson('body', text);
  const isQueries = typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'object';
  if (isQueries) return { kind: 'queries', queries: readLoadRequest(text).query };
  return { kind: 'statement', request: readBodyAs(SqlRequest, body) };
}

/**
 * Reads a statement from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readSqlRequest(text: string): SqlRequest {
  return readBodyAs(SqlRequest, parseJson('body', text));
}

/**
 * Reads the statement of a `/v1/convert-query` request from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readConvertQuery(text: string): string {
  return readBodyAs(ConvertQueryRequest, parseJson('body', text)).query;
}
