// What vega-lite takes from `vega`. Bundling it with `vega` aliased to this module leaves the other 150 KB out.

/** True for what has properties: objects, arrays, functions. */
export function isObject(value: unknown): boolean {
  return value === Object(value);
}

/** True for text. */
export function isString(value: unknown): boolean {
  return typeof value === 'string';
}

/** True where an object has a property itself. */
function hasOwn(object: object, property: PropertyKey): boolean {
  return Object.hasOwn(object, property);
}

/** A value as an expression writes it. */
export function stringValue(value: unknown): unknown {
  if (Array.isArray(value)) return `[${value.map(item => (item === null ? 'null' : stringValue(item)))}]`;
  if (!isObject(value) && !isString(value)) return value;
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export { hasOwn as hasOwnProperty };
