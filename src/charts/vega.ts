// Loaded by dynamic import alone: the one chunk that holds Vega, built ahead; what it takes of ours nothing else may import. Its packages are named one by one because `vega` itself
// registers everything it has, geography, forces and trees included.
import { transforms } from 'vega-dataflow';
import * as encode from 'vega-encode';
import { locale } from 'vega-format';
import { parse } from 'vega-parser';
import * as regression from 'vega-regression';
import * as basic from 'vega-transforms';
import { View } from 'vega-view';
import * as viewTransforms from 'vega-view-transforms';
import { boundTransforms } from './bounded-transforms.js';
import { wordLegends } from './legend-words.js';
import { gateOf, registerRenderers } from './renderers.js';

Object.assign(transforms, basic, viewTransforms, encode, regression);
boundTransforms(transforms);
wordLegends(transforms);
registerRenderers();

export { gateOf, locale, parse, View };
