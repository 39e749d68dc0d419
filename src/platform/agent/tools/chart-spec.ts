import { ChartError } from '../../../charts/chart-error.js';
import { isObject, isVegaLite, readSpec, refuseOutside } from '../../../charts/spec.js';
import type { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';

/** Longest specification without data, in characters of JSON. */
const longest = 20 * 1024;
const deepest = 40;
/** Data come from the query alone; nothing of a chart loads, leads elsewhere, or asks the page for anything. */
const dropped: ReadonlySet<string> = new Set(['data', 'datasets', 'url', 'href', 'usermeta', 'bind', '__proto__']);
const schema = /^https:\/\/vega\.github\.io\/schema\/vega-lite\/v\d+(\.\d+)*\.json$/;
const address = /[a-z][a-z\d+.-]*:\/\/|^\s*(?:javascript|data|vbscript|blob|file):|\burl\s*\(/i;
/** Functions by which a short expression makes a long text or list; words of a title are no expression. */
const growing = /\b(?:sequence|timeSequence|utcSequence|repeat|pad|replace)\s*\(/;
const words: ReadonlySet<string> = new Set(['title', 'subtitle', 'description', 'name']);
/** Numbers by which a short specification makes a large drawing, and the most that they may be. */
const sizes: ReadonlySet<string> = new Set(['width', 'height', 'step', 'steps', 'stop', 'maxbins', 'resolve', 'size']);
const largest = 5000;

/**
 * Makes of a model's chart what may be drawn: Vega-Lite as JSON text, without data, addresses and inputs, its fields named as Vega
 * reads them (`orders\.total`).
 * @param members - the columns of the query, as the model names them.
 * @throws PlatformError 400 that says what is wrong with it.
 */
export function chartSpecOf(given: string | JsonObject, members: readonly string[]): string {
  try {
    const spec = readSpec(given);
    if (!isVegaLite(spec)) throw new PlatformError(400, 'vegaSpec: must be a Vega-Lite specification.');
    const { $schema, ...cleaned } = cleanObject(spec, new Set(members), 0);
    refuseOutside(cleaned);
    const kept = typeof $schema === 'string' && schema.test($schema) ? { $schema, ...cleaned } : cleaned;
    const text = JSON.stringify(kept);
    if (text.length <= longest) return text;
    throw new PlatformError(400, `vegaSpec: must be shorter than ${longest} characters.`);
  } catch (error) {
    if (error instanceof ChartError) throw new PlatformError(400, `vegaSpec: ${error.message}`);
    throw error;
  }
}

function cleanObject(value: JsonObject, members: ReadonlySet<string>, depth: number): JsonObject {
  if (depth > deepest) throw new PlatformError(400, 'vegaSpec: is nested too deeply.');
  const kept = Object.entries(value).filter(([key]) => !dropped.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, clean(key, inner, members, depth + 1)]));
}

function clean(key: string, value: unknown, members: ReadonlySet<string>, depth: number): unknown {
  if (depth > deepest) throw new PlatformError(400, 'vegaSpec: is nested too deeply.');
  if (Array.isArray(value)) return value.map(item => clean(key, item, members, depth + 1));
  if (isObject(value)) return cleanObject(value, members, depth);
  if (typeof value === 'number' && sizes.has(key) && Math.abs(value) > largest)
    throw new PlatformError(400, `vegaSpec: ${key} must be at most ${largest}.`);
  return typeof value === 'string' ? cleanText(key, value, members) : value;
}

function cleanText(key: string, text: string, members: ReadonlySet<string>): string {
  if (members.has(text) && !words.has(key)) return text.replaceAll('.', '\\.');
  if (key !== '$schema' && address.test(text)) throw new PlatformError(400, 'vegaSpec: must hold no address.');
  if (!words.has(key) && growing.test(text))
    throw new PlatformError(400, 'vegaSpec: must do without the functions sequence, repeat, pad and replace.');
  return text;
}
