import type { JsonObject } from '../contract/wire.js';
import { ChartError, ChartErrorCode } from './chart-error.js';
import { isObject, readSpec, walk } from './spec/spec.js';
import { unknownFields } from './spec/unknown-fields.js';
import { checkVega, compileVegaLite } from './view.js';

/** Maximum number of names that a message lists. */
const maxNames = 30;
const maxNameLength = 100;

const geoTransforms = new Set(['geojson', 'geopath', 'geopoint', 'geoshape', 'graticule']);

/**
 * Compiles a specification for publishing: Vega-Lite to Vega, and Vega unchanged. It rejects everything that a page
 * would omit or fail to render.
 * @param columns Columns of the report's query; `null` if they are not known.
 * @throws ChartError with the unsupported part and its alternative.
 */
export async function compileForPublishing(
  source: string | JsonObject,
  columns: readonly string[] | null,
): Promise<JsonObject> {
  const spec = readSpec(source);
  const [unsupported] = unsupportedParts(spec);
  if (unsupported !== undefined) throw new ChartError(ChartErrorCode.unsupported, unsupported);
  const vega = await compileVegaLite(spec);
  const unknown = columns && unknownFieldsMessage(vega, columns);
  if (unknown) throw new ChartError(ChartErrorCode.unknownField, unknown);
  await checkVega(vega);
  return vega;
}

/**
 * Returns messages for the author about problems of a specification that a page would ignore silently.
 * @param compiled The same specification compiled to Vega, if it was compiled when published.
 */
export async function chartProblems(
  source: string | JsonObject,
  compiled: JsonObject | null,
  columns: readonly string[],
): Promise<string[]> {
  const spec = readSpec(source);
  const unknown = unknownFieldsMessage(compiled ?? (await compileVegaLite(spec)), columns);
  return unknown === null ? unsupportedParts(spec) : [...unsupportedParts(spec), unknown];
}

function unknownFieldsMessage(vega: JsonObject, columns: readonly string[]): string | null {
  const unknown = unknownFields(vega, columns);
  if (unknown.length === 0) return null;
  const fields = unknown.length === 1 ? 'The field' : 'The fields';
  const are = unknown.length === 1 ? 'is not a column' : 'are not columns';
  return `${fields} ${joinNames(unknown)} ${are} of the query. Columns: ${joinNames(columns) || 'none'}.`;
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(name => name.slice(0, maxNameLength));
  return names.length > maxNames ? `${shown.join(', ')} and ${names.length - maxNames} more` : shown.join(', ');
}

/** Returns the messages for unsupported parts, each with the alternative. */
function unsupportedParts(spec: JsonObject): string[] {
  const found = new Set<string>();
  walk(spec, (node, key) => {
    if (hasInput(node.bind)) {
      found.add(
        'Charts do not support inputs (bind): use a control of the dashboard (FILTER, TIME_GRAIN, FIELD or PARENT), and give the parameter a value.',
      );
    }
    const part = geoPart(node, key);
    if (part !== null) found.add(`Charts do not support geography (${part}): use a report of kind map.`);
  });
  return [...found];
}

/** True for form inputs. Selections may be bound to scales or to a legend. */
function hasInput(bind: unknown): boolean {
  if (!isObject(bind)) return false;
  return 'input' in bind || 'element' in bind || Object.values(bind).some(hasInput);
}

function geoPart(node: JsonObject, key: string): string | null {
  const { type, mark } = node;
  if (mark === 'geoshape' || (key === 'mark' && type === 'geoshape')) return 'geoshape';
  if (key === 'transform' && geoTransforms.has(String(type))) return String(type);
  if (key === 'encoding' && ('longitude' in node || 'latitude' in node)) return 'longitude and latitude';
  if (key === 'data' && ('graticule' in node || 'sphere' in node)) return 'graticule and sphere';
  return 'projection' in node || 'projections' in node ? 'projection' : null;
}
