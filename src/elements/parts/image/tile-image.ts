import type { ReportInput } from '../../../scene/report-tile.js';
import { dataNotes, sceneBody } from '../../../scene/report-tile.js';
import { drawTile, openFlow, type Tile } from '../../../scene/tile.js';
import { pageScene } from './page-scene.js';
import { paintedFile } from './painted-file.js';

/** A tile to draw as an image. */
export interface TileImageInput extends ReportInput {
  /** The frame of the tile. */
  readonly frame: HTMLElement;
  /** Language of the tile (BCP 47). */
  readonly locale: string;
  /** Whether the rows are shown as a table instead of the report. */
  readonly asTable: boolean;
}

/** Widths of an image, px. */
const [minWidth, maxWidth] = [320, 1_600];
const minHeight = 96;

/**
 * Draws a table, figure, map or Sankey diagram as a PNG file, with its title and twice the resolution of the page. For
 * a table, draws the first 300 rows and states the number of omitted rows. Returns `null` for reports of other kinds.
 */
export async function createTileImage(input: TileImageInput): Promise<Blob | null> {
  const { frame, locale, data, title, asTable } = input;
  const box = frame.getBoundingClientRect();
  const scene = await pageScene(frame, locale);
  const snapshot = asTable ? tableOf(input.snapshot) : input.snapshot;
  const body = sceneBody(scene, { snapshot, data, title });
  if (!body) return null;
  const notes = dataNotes(scene, data);
  const tile: Tile = { key: 'tile', title, isFramed: true, body, failure: null, notes };
  const width = Math.round(Math.max(minWidth, Math.min(maxWidth, box.width)));
  const own = body.type === 'flow' ? openFlow(scene, tile, width).height : box.height;
  const height = Math.ceil(Math.max(minHeight, own));
  const { node } = await drawTile(scene, tile, { width, height });
  return paintedFile(node, { width, height }, { family: scene.fonts.family });
}

/** Returns the report as a plain table of its rows. */
function tableOf({ spec: _, ...snapshot }: ReportInput['snapshot']): ReportInput['snapshot'] {
  return { ...snapshot, kind: 'table' };
}
