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
import { boundTransforms } from './vega/bounded-transforms.js';
import { localizeLegends, turnLabels } from './vega/labels.js';
import { gateOf, registerRenderers } from './vega/renderers.js';

/** What charts take of Vega. */
export interface Vega {
  readonly View: typeof View;
  readonly gateOf: typeof gateOf;
  readonly locale: typeof locale;
  readonly parse: typeof parse;
}

let vega: Vega | null = null;

/** Registers transforms, their limits and renderers with Vega, once. Not done on import, because bundlers drop what a module does on import. */
export function openVega(): Vega {
  if (vega) return vega;
  Object.assign(transforms, basic, viewTransforms, encode, regression);
  boundTransforms(transforms);
  localizeLegends(transforms);
  turnLabels(transforms);
  registerRenderers();
  vega = { View, gateOf, locale, parse };
  return vega;
}
