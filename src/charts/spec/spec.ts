import type { JsonObject } from '../../contract/wire.js';
import { ChartError, ChartErrorCode } from '../chart-error.js';

/** Longest specification, as JSON text. */
export const maxSpecLength = 1_000_000;

/** Name that a specification gives to the rows of its report: `"data": {"name": "rows"}`. */
export const rowsName = 'rows';

/**
 * Reads a specification from JSON text or an object, as a copy of its own: JSON alone, without functions, cycles or prototypes.
 * @throws ChartError when it is no object, or longer than `maxSpecLength` characters of JSON.
 */
export function readSpec(spec: string | JsonObject): JsonObject {
  const text = typeof spec === 'string' ? spec : attempt(() => JSON.stringify(spec));
  if (text !== undefined && text.length > maxSpecLength) {
    throw new ChartError(
      ChartErrorCode.tooLarge,
      `The chart's specification is longer than ${maxSpecLength} characters.`,
    );
  }
  const value = text === undefined ? undefined : attempt(() => JSON.parse(text));
  if (!isObject(value)) {
    throw new ChartError(
      ChartErrorCode.unreadable,
      "The chart's specification must be a JSON object, or JSON text of one.",
    );
  }
  return value;
}

/** True for Vega-Lite, told by `$schema`, else by the keys that only one of the two languages has at its top. */
export function isVegaLite(spec: JsonObject): boolean {
  const schema = typeof spec.$schema === 'string' ? spec.$schema : '';
  if (/\/vega(-lite)?\//.test(schema)) return schema.includes('/vega-lite/');
  return ['mark', 'layer', 'facet', 'repeat', 'concat', 'hconcat', 'vconcat'].some(key => key in spec);
}

/**
 * Refuses what would load from outside: data by URL, images. Links are another matter: they load nothing until they are
 * followed, and the view checks where they lead.
 * @throws ChartError that says where.
 */
export function rejectExternalResources(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (node.type === 'image' || node.mark === 'image') refuse('an image mark');
    if (key === 'data' && 'url' in node) refuse('data from a URL');
    if (Object.values(node).flat().some(namesElement)) refuse('an element of the page');
  });
}

/** Items of a drawn chart hold their elements under this name; no field of a report has it. */
function namesElement(value: unknown): boolean {
  return typeof value === 'string' && /(?:^|[.['"])_svg\b/.test(value);
}

function refuse(what: string): never {
  throw new ChartError(
    ChartErrorCode.outside,
    `The chart's specification asks for ${what}. A chart draws the rows of its report and loads nothing else.`,
  );
}

/** How deep a specification may be nested; Vega's own parsers go down without looking. */
const maxDepth = 60;

/**
 * Visits every object of a specification but the inline data in it.
 * @throws ChartError for what is nested deeper than any chart is.
 */
export function walk(value: unknown, visit: (node: JsonObject, key: string) => void, key = '', depth = 0): void {
  if (depth > maxDepth) {
    throw new ChartError(
      ChartErrorCode.tooLarge,
      `The chart's specification is nested deeper than ${maxDepth} levels.`,
    );
  }
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit, key, depth + 1);
  } else if (isObject(value)) {
    visit(value, key);
    for (const [name, child] of Object.entries(value)) {
      if (name !== 'values' && name !== 'datasets') walk(child, visit, name, depth + 1);
    }
  }
}

/** True for a plain JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list, or of nothing. */
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
