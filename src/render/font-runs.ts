import { numberOf, type SvgElement, type SvgNode } from '../scene/svg-element.js';
import { type FontName, type Fonts, familyNames } from './fonts.js';

/** Characters that continue a run in any font: spaces and directional marks. */
const neutral = /[\s\u2066-\u2069]/;

/**
 * Sets the font family of each part of semibold text. If a family lacks a character, the PNG renderer falls back to
 * another family, but in regular weight.
 */
export function withFamilies(fonts: Fonts, node: SvgElement, inherited = 400): SvgElement {
  const { tag, attributes } = node;
  const weight = numberOf(attributes['font-weight'], inherited);
  const isText = tag === 'text' || tag === 'tspan';
  const children = node.children.flatMap((child): readonly SvgNode[] => {
    if (typeof child !== 'string') return [withFamilies(fonts, child, weight)];
    return isText && weight >= 600 ? runsOf(fonts, child) : [child];
  });
  return { tag, attributes, children };
}

/** Splits text into its parts in Noto Sans, and spans of the other families. */
function runsOf(fonts: Fonts, text: string): SvgNode[] {
  const runs: { name: FontName; text: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const name = neutral.test(character) ? (last?.name ?? 'latin') : (fonts.familyOf(character) ?? 'latin');
    if (last?.name === name) last.text += character;
    else runs.push({ name, text: character });
  }
  // The PNG renderer draws nothing if spans of both families are in one text.
  const names = new Set(runs.map(({ name }) => name));
  if (names.has('arabic') && names.has('japanese')) return [text];
  return runs.map(run =>
    run.name === 'latin'
      ? run.text
      : { tag: 'tspan', attributes: { 'font-family': familyNames[run.name] }, children: [run.text] },
  );
}
