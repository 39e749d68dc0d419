// What Vega's packages import for things that our charts never do: geography (kind `map` has its own room), timers (the view has
// none) and tables as text (rows come from the query). Bundling Vega with those packages aliased to this module leaves 8 KB out.
const unavailable = (): never => {
  throw new Error('A chart has no geography, no timers and no data as text.');
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
