import { FlowCursor, stackStrips } from './flow-cursor.js';
import { atStart, type SceneContext, textLine } from './scene-context.js';
import { element, groupAt, round, type SvgElement } from './svg-element.js';
import type { LoadedBody, SceneSize } from './tile-body.js';

/** A tile with its body. */
export interface Tile extends LoadedBody {
  readonly key: string;
  /** Heading; empty if there is none. */
  readonly title: string;
  /** Name of the tile, if that is not its heading. */
  readonly label?: string;
  /** True for a tile with a border and a surface. */
  readonly isFramed: boolean;
  /** True for the continuation of a tile, which has no bookmark. */
  readonly isContinued?: boolean;
}

/** A drawn tile. */
export interface TileDrawing {
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
function frameOf({ fonts, colors }: SceneContext, tile: Tile, width: number, notes = tile.notes): TileFrame {
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
function drawFrame(context: SceneContext, tile: Tile, frame: TileFrame, { width, height }: SceneSize): SvgElement[] {
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
  const heading = element(
    'g',
    { 'pdf:role': 'H2', 'pdf:bookmark': tile.title === '' || tile.isContinued ? undefined : tile.title },
    title,
  );
  return [
    ...(tile.isFramed ? [box] : []),
    ...(title.length > 0 ? [heading] : []),
    ...(notes.length > 0 ? [element('g', { 'pdf:role': 'P' }, notes)] : []),
  ];
}

/** Draws a tile in a box. Rows of a table that do not fit are omitted. */
export async function drawTile(context: SceneContext, tile: Tile, size: SceneSize): Promise<TileDrawing> {
  const { body } = tile;
  if (body.type === 'flow') return drawFlowTile(context, tile, size);
  const frame = frameOf(context, tile, size.width);
  const availableHeight = { width: frame.width, height: Math.max(8, size.height - frame.top - frame.bottom) };
  let drawing = await body.draw(availableHeight);
  // Draw the body again if drawing added notes, because they need space.
  const notes = [...tile.notes, ...drawing.notes];
  const noted = drawing.notes.length > 0 ? frameOf(context, tile, size.width, notes) : frame;
  if (noted !== frame)
    drawing = await body.draw({ ...availableHeight, height: Math.max(8, size.height - noted.top - noted.bottom) });
  const isText = drawing.failure !== undefined || tile.failure !== null;
  const role = isText ? 'P' : 'Figure';
  const node = groupAt(frame.padding, frame.top, [drawing.node], { 'pdf:role': role, 'pdf:alt': drawing.description });
  return {
    node: element('g', {}, [...drawFrame(context, tile, noted, size), node]),
    description: [drawing.description, ...notes].filter(Boolean).join(' '),
    failure: drawing.failure ?? tile.failure,
  };
}

/** Draws a tile whose body flows in one box. Strips that do not fit are omitted. */
function drawFlowTile(context: SceneContext, tile: Tile, size: SceneSize): TileDrawing {
  const flow = openFlow(context, tile, size.width);
  const { node } = drawFlowSlice(context, flow, {
    availableHeight: size.height,
    minHeight: size.height,
    isFirst: true,
  });
  return { node, description: flow.description, failure: tile.failure };
}

/** A tile whose body continues across pages. */
export interface TileFlow {
  readonly tile: Tile;
  readonly width: number;
  readonly cursor: FlowCursor;
  readonly notes: readonly string[];
  readonly description: string;
  /** Height of the tile without page breaks. */
  readonly height: number;
}

/** Lays out a tile whose body can continue on the next page. */
export function openFlow(context: SceneContext, tile: Tile, width: number): TileFlow {
  const { body } = tile;
  if (body.type !== 'flow') throw new TypeError('A flowing tile requires a body of type "flow".');
  const notes = [...tile.notes, ...body.notes];
  const frame = frameOf(context, tile, width, notes);
  const cursor = new FlowCursor(body.layOut(frame.width));
  return {
    tile,
    width,
    cursor,
    notes,
    description: [body.description, ...notes].filter(Boolean).join(' '),
    height: frame.top + cursor.height + frame.bottom,
  };
}

/** Options of `drawFlowSlice`. */
interface SliceOptions {
  /** Available height. */
  readonly availableHeight: number;
  /** Height of a slice with less content. */
  readonly minHeight: number;
  /** False for a slice that continues a tile on another page. */
  readonly isFirst: boolean;
  /** True if another page would not offer more space. */
  readonly isWhole?: boolean;
}

/** Draws the part of a flowing tile that fits a height. Notes are below the last part. */
export function drawFlowSlice(
  context: SceneContext,
  { tile, width, cursor, notes }: TileFlow,
  { availableHeight, minHeight, isFirst, isWhole = false }: SliceOptions,
): { readonly node: SvgElement; readonly height: number } {
  const title = isFirst || tile.title === '' ? tile.title : context.messages.print.continued(tile.title);
  const part: Tile = { ...tile, title };
  const noted = frameOf(context, part, width, notes);
  const slice = cursor.take(availableHeight - noted.top - noted.bottom, { isWhole });
  const frame = cursor.isDone ? noted : frameOf(context, part, width, []);
  const height = Math.max(frame.top + slice.height + frame.bottom, minHeight);
  const body = groupAt(frame.padding, frame.top, stackStrips(slice.strips), {
    'pdf:role': cursor.isTable ? 'Table' : 'Sect',
  });
  const box = drawFrame(context, { ...part, isContinued: !isFirst }, frame, { width, height });
  return { node: element('g', {}, [...box, body]), height };
}
