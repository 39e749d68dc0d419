import * as z from 'zod/mini';
import { LoadRequest } from '../../contract/query.js';
import { PlatformError } from '../errors.js';
import { describeIssues } from '../mount.js';

/** Most characters of a message: it can quote a path as deep as the body. */
const maxMessage = 600;

/**
 * Reads the body of a load request from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readLoadRequest(text: string): LoadRequest {
  return check('body', parseJson('body', text));
}

/**
 * Reads a load request from the parameters of a URL: `query` as JSON text, `queryType` and `cache` as they stand.
 * @throws PlatformError 400 that names the parameter.
 */
export function readLoadParameters(parameters: URLSearchParams): LoadRequest {
  const query = parameters.get('query');
  if (query === null) throw new PlatformError(400, 'query: send the query as JSON in the parameter "query".');
  const rest = ['queryType', 'cache'].filter(name => parameters.has(name)).map(name => [name, parameters.get(name)]);
  return check('parameters', { query: parseJson('query', query), ...Object.fromEntries(rest) });
}

function parseJson(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError(400, `${where}: not valid JSON.`);
  }
}

function check(where: string, input: unknown): LoadRequest {
  try {
    const result = z.safeParse(LoadRequest, input);
    if (result.success) return result.data;
    const issues = result.error.issues.map(innermost);
    throw new PlatformError(400, describeIssues(where, issues).slice(0, maxMessage));
  } catch (error) {
    // Filters in filters by the thousand overflow the stack of the parser, long before they could mean anything.
    if (error instanceof RangeError) throw new PlatformError(400, `${where}: nested too deeply.`);
    throw error;
  }
}

/** Of a choice that fits nothing, the issue of the choice that came nearest: it names the field that is wrong. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const [nearest] = [...issue.errors].sort((a, b) => a.length - b.length);
  const inner = nearest?.[0];
  return inner ? innermost({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}
