import { atStart, type SceneContext, textLine } from './scene-context.js';
import { element, type SvgElement } from './svg-element.js';
import { isRightToLeft } from './text-fitter.js';

/** Text around the tiles. */
export interface PageTexts {
  readonly title: string;
  readonly filters: readonly string[];
  readonly created: string;
}

const smallSize = 11;
const lineHeight = 16;

/** Content of a known height. */
interface Block {
  readonly nodes: readonly SvgElement[];
  readonly height: number;
}

/** Joins parts that can have different directions. */
export function joinedTexts(parts: readonly string[]): string {
  const isMixed = parts.some(isRightToLeft);
  return parts.map(part => (isMixed ? `\u2068${part}\u2069` : part)).join('  ·  ');
}

/** Draws the title and the control values. */
export function titleBlock(context: SceneContext, { title, filters }: PageTexts, width: number): Block {
  const { fonts, colors } = context;
  const place = atStart(context, 0, width);
  const style = { size: 24, weight: 600 } as const;
  const titles = fonts.wrap(fonts.drawable(title, 600), width, style, 3);
  const lines = fonts.wrap(fonts.drawable(joinedTexts(filters)), width, { size: 13 }, 8).filter(line => line !== '');
  const top = titles.length * 32;
  const filterLines = element(
    'g',
    { 'pdf:role': 'P' },
    lines.map((text, index) =>
      textLine(context, text, { ...place, y: top + 14 + index * 19, size: 13, fill: colors.muted }),
    ),
  );
  const nodes = [
    element(
      'g',
      { 'pdf:role': 'H1' },
      titles.map((text, index) =>
        textLine(context, text, { ...place, ...style, y: 24 + index * 32, fill: colors.text }),
      ),
    ),
    ...(lines.length === 0 ? [] : [filterLines]),
  ];
  return { nodes, height: top + lines.length * 19 + 14 };
}

/** Draws notes about the whole file. */
export function notesBlock(context: SceneContext, notes: readonly string[], width: number): Block {
  const { fonts, colors } = context;
  const lines = notes.flatMap(note => fonts.wrap(fonts.drawable(note), width, { size: smallSize }, 4));
  const place = atStart(context, 0, width);
  const nodes = lines.map((text, index) =>
    textLine(context, text, { ...place, y: 24 + index * lineHeight, size: smallSize, fill: colors.muted }),
  );
  return {
    nodes: [element('g', { 'pdf:role': 'P' }, nodes)],
    height: lines.length === 0 ? 0 : 20 + lines.length * lineHeight,
  };
}
