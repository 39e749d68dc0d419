// Replaces imports of Vega's packages for features that charts do not use: geography (the report kind `map` has a
// separate implementation), timers (views have none) and data as text (rows come from the query). Bundling Vega with
// those packages aliased to this module saves 8 KB.
const unavailable = (): never => {
  throw new Error('Charts do not support geography, timers or data as text.');
};

export {
  unavailable as dsvFormat,
  unavailable as feature,
  unavailable as geoArea,
  unavailable as geoBounds,
  unavailable as geoCentroid,
  unavailable as interval,
  unavailable as mesh,
};
