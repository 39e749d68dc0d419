// What vega-lite takes from `vega`. Bundling it with `vega` aliased to this module leaves the other 150 KB out.
export { hasOwnProperty, isObject, isString, stringValue } from 'vega-util';
