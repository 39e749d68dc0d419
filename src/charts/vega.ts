// The prebuilt chunk that contains Vega, which is only imported dynamically. No other module may import the modules
// that it imports from this package. It imports Vega's packages individually, because `vega` registers everything,
// including geography, forces and trees.
import { transforms } from 'vega-dataflow';
import * as encode from 'vega-encode';
import { locale } from 'vega-format';
import { parse } from 'vega-parser';
import * as regression from 'vega-regression';
import { textMetrics } from 'vega-scenegraph';
import * as basic from 'vega-transforms';
import { View } from 'vega-view';
import * as viewTransforms from 'vega-view-transforms';
import { boundTransforms } from './vega/bounded-transforms.js';
import { labelMissing, localizeLegends, rotateOverlappingLabels } from './vega/labels.js';
import { gateOf, registerRenderers } from './vega/renderers.js';

/** The parts of Vega that charts use. */
export interface Vega {
  readonly View: typeof View;
  readonly gateOf: typeof gateOf;
  readonly locale: typeof locale;
  readonly parse: typeof parse;
  readonly measureTexts: typeof measureTexts;
}

/** Returns the width of text in px. */
export type TextMeasure = (text: string, style: { readonly size: number; readonly isBold: boolean }) => number;

const defaultFontSize = 11;

/**
 * Replaces text measurement for all charts. By default, Vega measures with a canvas, or estimates if none is available.
 */
function measureTexts(measure: TextMeasure): void {
  textMetrics.width = ({ fontSize = defaultFontSize, fontWeight }, text) => {
    const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600;
    return fontSize > 0 ? measure(String(text ?? ''), { size: fontSize, isBold }) : 0;
  };
}

let vega: Vega | null = null;
/** A registered transform of this package. Loading the package `vega` replaces it. */
let ownTicks: unknown;

/**
 * Registers transforms with their limits, and renderers. This is not a side effect of the import, because bundlers drop
 * side effects. Registers the transforms again if the package `vega` has replaced them: outside of bundles, Vega-Lite
 * imports `vega`.
 */
export function openVega(): Vega {
  if (vega && transforms.axisticks === ownTicks) return vega;
  Object.assign(transforms, basic, viewTransforms, encode, regression);
  boundTransforms(transforms);
  localizeLegends(transforms);
  labelMissing(transforms);
  rotateOverlappingLabels(transforms);
  ownTicks = transforms.axisticks;
  registerRenderers();
  vega = { View, gateOf, locale, measureTexts, parse };
  return vega;
}
