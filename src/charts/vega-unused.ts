// What Vega's packages import from `d3-geo` and `topojson-client`, for geography that our charts don't draw (kind `map` has its
// own room). Bundling Vega with both aliased to this module leaves 6 KB out.
const unavailable = (): never => {
  throw new Error('Geography is not part of a chart.');
};

export {
  unavailable as feature,
  unavailable as geoArea,
  unavailable as geoBounds,
  unavailable as geoCentroid,
  unavailable as mesh,
};
