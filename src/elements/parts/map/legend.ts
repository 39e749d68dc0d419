import { type SVGTemplateResult, svg } from 'lit';
import { type ColorSteps, colorSteps } from '../../../report/color-steps.js';
import { shortened } from '../../../report/text-width.js';

/** What a legend says: the scale of colours, what it stands for, and how its ends are written. */
export interface Legend {
  readonly steps: ColorSteps;
  readonly title: string;
  readonly print: (value: number) => string;
  /** Width that there is, px. */
  readonly width: number;
}

const swatchWidth = 32;

/** A scale of colours in steps, with what it begins and ends with. */
export function legend({ steps, title, print, width }: Legend, top: number): SVGTemplateResult {
  const end = swatchWidth * colorSteps;
  const swatches = Array.from(
    { length: colorSteps },
    (_, step) =>
      svg`<rect class="swatch step-${step}" x=${step * swatchWidth} y="4" width=${swatchWidth} height="8"></rect>`,
  );
  return svg`<g aria-hidden="true" transform="translate(0 ${top})">
    ${steps.from === steps.to ? swatches.slice(-1) : swatches}
    <text x=${steps.from === steps.to ? end - swatchWidth : 0} y="27">${print(steps.from)}</text>
    ${steps.from === steps.to ? '' : svg`<text x=${end} y="27" text-anchor="end">${print(steps.to)}</text>`}
    <text x=${end + 10} y="13">${shortened(title, width - end - 10)}</text>
  </g>`;
}
