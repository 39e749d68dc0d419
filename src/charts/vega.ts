// Loaded by dynamic import alone: the one chunk that holds Vega. Its packages are named one by one because `vega` itself
// registers everything it has, geography, forces and trees included.
import { transforms } from 'vega-dataflow';
import * as encode from 'vega-encode';
import { locale } from 'vega-format';
import { expressionInterpreter } from 'vega-interpreter';
import { parse } from 'vega-parser';
import * as regression from 'vega-regression';
import * as basic from 'vega-transforms';
import { View } from 'vega-view';
import * as viewTransforms from 'vega-view-transforms';

Object.assign(transforms, basic, viewTransforms, encode, regression);

export { expressionInterpreter, locale, parse, View };
