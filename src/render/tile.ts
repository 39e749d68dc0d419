import { atStart, type RenderContext, textLine } from './render-context.js';
import type { RenderSize } from './render-options.js';
import type { LoadedBody } from './report-body.js';
import { element, groupAt, round, type SvgElement } from './svg.js';
import type { Flow, Strip } from './tile-body.js';

/** A tile with its body. */
export interface Tile extends LoadedBody {
  readonly key: string;
  /** Heading; empty for none. */
  readonly title: string;
  /** True for a tile with a border and a surface. */
  readonly isFramed: boolean;
}

/** A drawn tile. */
export interface DrawnTile {
  readonly node: SvgElement;
  readonly description: string;
  readonly failure: string | null;
}

const titleGap = 12;
const noteSize = 11;
const noteHeight = 15;
const maxTitleLines = 3;

/** The parts of a tile around its body. */
interface TileFrame {
  readonly padding: number;
  readonly top: number;
  readonly bottom: number;
  /** Width of the body. */
  readonly width: number;
  readonly titleLines: readonly string[];
  readonly noteLines: readonly string[];
}

/** Lays out the heading and the notes of a tile. */
function frameOf({ fonts, colors }: RenderContext, tile: Tile, width: number, notes = tile.notes): TileFrame {
  const padding = tile.isFramed ? colors.padding : 0;
  const inner = Math.max(8, width - 2 * padding);
  const titleStyle = { size: colors.titleSize, weight: 600 } as const;
  const titleLines =
    tile.title === '' ? [] : fonts.wrap(fonts.drawable(tile.title, 600), inner, titleStyle, maxTitleLines);
  const noteLines = notes.flatMap(note => fonts.wrap(fonts.drawable(note), inner, { size: noteSize }, 3)).slice(0, 6);
  const titleHeight = titleLines.length === 0 ? 0 : titleLines.length * Math.round(colors.titleSize * 1.57) + titleGap;
  return {
    padding,
    width: inner,
    top: padding + titleHeight,
    bottom: padding + (noteLines.length > 0 ? noteLines.length * noteHeight + 4 : 0),
    titleLines,
    noteLines,
  };
}

/** Draws the border, the heading and the notes of a tile. */
function drawFrame(context: RenderContext, tile: Tile, frame: TileFrame, { width, height }: RenderSize): SvgElement[] {
  const { colors } = context;
  const { borderWidth, radius, surface, border } = colors;
  const box = element('rect', {
    x: borderWidth / 2,
    y: borderWidth / 2,
    width: round(width - borderWidth),
    height: round(height - borderWidth),
    rx: Math.min(radius, height / 2),
    fill: surface,
    stroke: borderWidth > 0 ? border : undefined,
    'stroke-width': borderWidth > 0 ? borderWidth : undefined,
  });
  const place = atStart(context, frame.padding, frame.width);
  const lineHeight = Math.round(colors.titleSize * 1.57);
  const title = frame.titleLines.map((text, index) =>
    textLine(context, text, {
      ...place,
      y: frame.padding + colors.titleSize * 1.1 + index * lineHeight,
      size: colors.titleSize,
      weight: 600,
      fill: colors.title,
    }),
  );
  const notes = frame.noteLines.map((text, index) =>
    textLine(context, text, {
      ...place,
      y: height - frame.padding - 4 - (frame.noteLines.length - 1 - index) * noteHeight,
      size: noteSize,
      fill: colors.muted,
    }),
  );
  const heading = element('g', { 'pdf:role': 'H2', 'pdf:bookmark': tile.title === '' ? undefined : tile.title }, title);
  return [
    ...(tile.isFramed ? [box] : []),
    ...(title.length > 0 ? [heading] : []),
    ...(notes.length > 0 ? [element('g', { 'pdf:role': 'P' }, notes)] : []),
  ];
}

/** Draws a tile in a box. Rows of a table that do not fit are left out. */
export async function drawTile(context: RenderContext, tile: Tile, size: RenderSize): Promise<DrawnTile> {
  const { body } = tile;
  if (body.type === 'flow') return drawFlowTile(context, tile, size);
  const frame = frameOf(context, tile, size.width);
  const room = { width: frame.width, height: Math.max(8, size.height - frame.top - frame.bottom) };
  let drawing = await body.draw(room);
  // Notes that are known only after drawing need space: the body is drawn again.
  const notes = [...tile.notes, ...drawing.notes];
  const noted = drawing.notes.length > 0 ? frameOf(context, tile, size.width, notes) : frame;
  if (noted !== frame)
    drawing = await body.draw({ ...room, height: Math.max(8, size.height - noted.top - noted.bottom) });
  const isText = drawing.failure !== undefined || tile.failure !== null;
  const role = isText ? 'P' : 'Figure';
  const node = groupAt(frame.padding, frame.top, [drawing.node], { 'pdf:role': role, 'pdf:alt': drawing.description });
  return {
    node: element('g', {}, [...drawFrame(context, tile, noted, size), node]),
    description: [drawing.description, ...notes].filter(Boolean).join(' '),
    failure: drawing.failure ?? tile.failure,
  };
}

function drawFlowTile(context: RenderContext, tile: Tile, size: RenderSize): DrawnTile {
  const { body } = tile;
  if (body.type !== 'flow') throw new TypeError('A flow is required.');
  const notes = [...tile.notes, ...body.notes];
  const frame = frameOf(context, tile, size.width, notes);
  const room = size.height - frame.top - frame.bottom;
  const [first] = body.layOut(frame.width);
  const slice = first ? takeStrips(first, 0, room) : { strips: [], count: 0 };
  return {
    node: element('g', {}, [
      ...drawFrame(context, tile, frame, size),
      groupAt(frame.padding, frame.top, stack(slice.strips), { 'pdf:role': 'Table' }),
    ]),
    description: [body.description, ...notes].filter(Boolean).join(' '),
    failure: tile.failure,
  };
}

/** A part of a flow that fits a height. */
interface FlowSlice {
  readonly strips: readonly Strip[];
  /** Number of strips after the header. */
  readonly count: number;
}

/** Takes as many strips as fit a height, below the header. */
function takeStrips({ head, strips }: Flow, from: number, room: number): FlowSlice {
  let used = head.reduce((total, { height }) => total + height, 0);
  let count = 0;
  for (const strip of strips.slice(from)) {
    if (used + strip.height > room) break;
    used += strip.height;
    count += 1;
  }
  const taken = strips.slice(from, from + count);
  const [first, ...others] = taken;
  const top = first?.topNodes ? [{ height: first.height, nodes: first.topNodes }, ...others] : taken;
  return { strips: [...head, ...(from === 0 ? taken : top)], count };
}

/** Stacks strips below each other. */
function stack(strips: readonly Strip[]): SvgElement[] {
  let y = 0;
  return strips.map(({ height, nodes }) => {
    const drawn = groupAt(0, y, nodes);
    y += height;
    return drawn;
  });
}
