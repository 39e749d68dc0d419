import * as z from 'zod/mini';
import { LoadRequest, type QuerySet } from '../../../contract/query.js';
import { ConvertQueryRequest, SqlRequest } from '../../../contract/sql.js';
import { PlatformError } from '../../errors.js';
import { describeIssues, dropUnknownFields } from '../../http/mount.js';

/** Most characters of a message: it can quote a path as deep as the body. */
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
 * Reads a load request from the parameters of a URL: `query` as JSON text, `queryType` and `cache` as they stand.
 * @throws PlatformError 400 that names the parameter.
 */
export function readLoadParameters(parameters: URLSearchParams): LoadRequest {
  const given = [...parameters.keys()];
  const unknown = given.find(name => !parameterNames.has(name));
  if (unknown !== undefined) throw new PlatformError(400, `parameters: ${quoted(unknown)} is not one of them.`);
  const twice = given.find((name, index) => given.indexOf(name) !== index);
  if (twice !== undefined) throw new PlatformError(400, `parameters: ${twice} may be given once.`);
  const query = parameters.get('query');
  if (query === null) throw new PlatformError(400, 'query: send the query as JSON in the parameter "query".');
  return readAs(LoadRequest, 'parameters', { ...Object.fromEntries(parameters), query: parseJson('query', query) });
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 50));
}

/**
 * Reads JSON text.
 * @throws PlatformError 400 for what is none, and for names that a schema would pass over in silence.
 */
function parseJson(where: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PlatformError(400, `${where}: not valid JSON.`);
  }
  const hidden = text.includes('__proto__') ? findProto(where, value) : undefined;
  if (hidden !== undefined) throw new PlatformError(400, `${hidden.slice(0, maxMessage)}: __proto__ is no name.`);
  return value;
}

/** Where a key stands that a schema would pass over in silence. */
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
 * Reads the JSON of a body by a schema. Ignores unknown top-level fields that newer clients may send: see `dropUnknownFields`.
 * @throws PlatformError 400 that names the field.
 */
function readBodyAs<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  return readAs(schema, 'body', dropUnknownFields(schema, body));
}

/**
 * Reads a value by a schema.
 * @throws PlatformError 400 that names the field.
 */
function readAs<S extends z.ZodMiniType>(schema: S, where: string, input: unknown): z.output<S> {
  try {
    const result = z.safeParse(schema, input);
    if (result.success) return result.data;
    const issues = result.error.issues.map(nearest);
    throw new PlatformError(400, describeIssues(where, issues).slice(0, maxMessage));
  } catch (error) {
    // Filters in filters by the thousand overflow the stack of the parser, long before they could mean anything.
    if (error instanceof RangeError) throw new PlatformError(400, `${where}: nested too deeply.`);
    throw error;
  }
}

/** Of a choice that fits nothing, the first issue of the choice that came nearest: it names the field that is wrong. */
function nearest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const choices = issue.errors.map(errors => errors.map(nearest));
  const [best] = choices.sort((a, b) => wrongness(a) - wrongness(b) || depth(b) - depth(a));
  const inner = best?.[0];
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

/** Something else altogether is worse than keys that a choice doesn't know. */
function wrongness(issues: readonly z.core.$ZodIssue[]): number {
  if (issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)) return 2;
  return issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ? 1 : 0;
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.slice(0, 100).map(({ path }) => path.length));
}

/** What `/v1/sql` is asked for: the rows of a statement, or the SQL of load queries. */
type SqlInput =
  | { readonly kind: 'statement'; readonly request: SqlRequest }
  | { readonly kind: 'queries'; readonly queries: QuerySet };

/**
 * Reads the body of `/v1/sql` from JSON text: what is asked for shows by its `query`.
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
 * Reads the statement of a request for a load query from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readConvertQuery(text: string): string {
  return readBodyAs(ConvertQueryRequest, parseJson('body', text)).query;
}
