import type { FigureFacts } from '../parts/kpi/kpi-element.js';
import type { PaTile } from '../parts/tile/tile-element.js';

interface FigureTile {
  readonly tile: PaTile;
  readonly figure: FigureFacts;
  /** Height of its heading, px. */
  readonly heading: number;
}

/**
 * Gives the figures of equal tiles in a row one size, that of the longest, and one place: below the highest of their headings, and in the
 * middle of the tile if none of them has more to show.
 */
export function alignFigures(tiles: readonly PaTile[]): void {
  const rows = new Map<Element, Map<string, FigureTile[]>>();
  for (const tile of tiles) {
    const { figure } = tile;
    const cell = tile.parentElement;
    const grid = cell?.parentElement;
    if (!figure || !cell || !grid) continue;
    const place = ['y', 'w', 'h', 'weight'].map(name => cell.style.getPropertyValue(`--_${name}`)).join(' ');
    const places = rows.get(grid) ?? new Map<string, FigureTile[]>();
    rows.set(grid, places.set(place, [...(places.get(place) ?? []), { tile, figure, heading: tile.headingHeight }]));
  }
  for (const row of [...rows.values()].flatMap(places => [...places.values()])) {
    const isAlone = row.every(({ figure }) => figure.isAlone);
    const properties = {
      'row-characters': String(Math.max(...row.map(({ figure }) => figure.characters))),
      'row-height-share': isAlone ? '60' : '40',
      'row-heading': `${Math.max(...row.map(({ heading }) => heading))}px`,
      'row-figure-place': isAlone ? 'safe center' : 'normal',
    };
    for (const { tile } of row) {
      for (const [name, value] of Object.entries(properties)) tile.style.setProperty(`--_${name}`, value);
    }
  }
}
