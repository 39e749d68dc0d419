// Exports the functions that vega-lite imports from `vega`. Bundling it with `vega` aliased to this module saves 150
// KB.

/** True for objects, arrays and functions. */
export function isObject(value: unknown): boolean {
  return value === Object(value);
}

/** True for strings. */
export function isString(value: unknown): boolean {
  return typeof value === 'string';
}

/** True if an object has an own property of this name. */
function hasOwn(object: object, property: PropertyKey): boolean {
  return Object.hasOwn(object, property);
}

/** Returns a value as a literal of the expression language. */
export function stringValue(value: unknown): unknown {
  if (Array.isArray(value)) return `[${value.map(item => (item === null ? 'null' : stringValue(item)))}]`;
  if (!isObject(value) && !isString(value)) return value;
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export { hasOwn as hasOwnProperty };
