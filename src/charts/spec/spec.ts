import type { JsonObject } from '../../contract/wire.js';
import { ChartError, ChartErrorCode } from '../chart-error.js';

/** Maximum length of a specification, characters of JSON. */
export const maxSpecLength = 1_000_000;

/** Name of the data set that receives the rows of the report: `"data": {"name": "rows"}`. */
export const rowsName = 'rows';

/**
 * Parses a specification from JSON text, or copies it from an object. The result is plain JSON without functions,
 * cycles or prototypes.
 * @throws ChartError if it is not an object, or longer than `maxSpecLength` characters of JSON.
 */
export function readSpec(spec: string | JsonObject): JsonObject {
  const text = typeof spec === 'string' ? spec : attempt(() => JSON.stringify(spec));
  if (text !== undefined && text.length > maxSpecLength) {
    throw new ChartError(
      ChartErrorCode.tooLarge,
      `The chart specification is longer than ${maxSpecLength} characters.`,
    );
  }
  const value = text === undefined ? undefined : attempt(() => JSON.parse(text));
  if (!isObject(value)) {
    throw new ChartError(
      ChartErrorCode.unreadable,
      'The chart specification must be a JSON object, or the JSON text of one.',
    );
  }
  return value;
}

/** True for Vega-Lite. Decides by `$schema`, otherwise by top-level keys that only Vega-Lite has. */
export function isVegaLite(spec: JsonObject): boolean {
  const schema = typeof spec.$schema === 'string' ? spec.$schema : '';
  if (/\/vega(-lite)?\//.test(schema)) return schema.includes('/vega-lite/');
  return ['mark', 'layer', 'facet', 'repeat', 'concat', 'hconcat', 'vconcat'].some(key => key in spec);
}

/**
 * Rejects external resources: data by URL and images. Links are allowed, because they load nothing until a viewer
 * follows them; the view checks their targets.
 * @throws ChartError with the rejected part.
 */
export function rejectExternalResources(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (node.type === 'image' || node.mark === 'image') reject('an image mark');
    if (key === 'data' && 'url' in node) reject('data from a URL');
    if (Object.values(node).some(value => (Array.isArray(value) ? value.some(namesElement) : namesElement(value))))
      reject('a page element');
  });
}

/**
 * True for text that contains the name under which items of a rendered chart reference their DOM elements. No report
 * field has this name.
 */
function namesElement(value: unknown): boolean {
  return typeof value === 'string' && value.includes('_svg') && /(?:^|[.['"])_svg\b/.test(value);
}

function reject(part: string): never {
  throw new ChartError(
    ChartErrorCode.outside,
    `The chart specification uses ${part}. Charts render the rows of their report and load no other resources.`,
  );
}

/** Maximum nesting depth of a specification; Vega's parsers recurse without a limit. */
const maxDepth = 60;

/**
 * Visits every object of a specification except inline data.
 * @throws ChartError if the specification exceeds the maximum nesting depth.
 */
export function walk(value: unknown, visit: (node: JsonObject, key: string) => void, key = '', depth = 0): void {
  if (depth > maxDepth) {
    throw new ChartError(ChartErrorCode.tooLarge, `The chart specification is nested deeper than ${maxDepth} levels.`);
  }
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit, key, depth + 1);
  } else if (isObject(value)) {
    visit(value, key);
    for (const name of Object.keys(value)) {
      if (name !== 'values' && name !== 'datasets') walk(value[name], visit, name, depth + 1);
    }
  }
}

/** The objects of a specification except inline data, each with the key of the object or list that contains it. */
export type SpecNodes = readonly (readonly [node: JsonObject, key: string])[];

/**
 * Collects the objects that `walk` visits, for code that visits them several times.
 * @throws ChartError as `walk` does.
 */
export function nodesOf(spec: JsonObject): SpecNodes {
  const nodes: [JsonObject, string][] = [];
  walk(spec, (node, key) => nodes.push([node, key]));
  return nodes;
}

/** True for a plain JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list; empty if the value is not a list. */
export function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
