import type { FigureFacts } from '../parts/kpi/kpi-element.js';
import type { PaTile } from '../parts/tile/tile-element.js';

/** Figures of tiles that stand in one row and are of equal size get one size: that of the longest. Nothing is measured for it. */
export function shareFigureSizes(tiles: readonly PaTile[]): void {
  const rows = new Map<Element, Map<string, [PaTile, FigureFacts][]>>();
  for (const tile of tiles) {
    const { figure } = tile;
    const cell = tile.parentElement;
    const grid = cell?.parentElement;
    if (!figure || !cell || !grid) continue;
    const place = ['y', 'w', 'h', 'weight'].map(name => cell.style.getPropertyValue(`--_${name}`)).join(' ');
    const places = rows.get(grid) ?? new Map<string, [PaTile, FigureFacts][]>();
    rows.set(grid, places.set(place, [...(places.get(place) ?? []), [tile, figure]]));
  }
  for (const row of [...rows.values()].flatMap(places => [...places.values()])) {
    const characters = Math.max(...row.map(([, figure]) => figure.characters));
    const share = row.every(([, { isAlone }]) => isAlone) ? '60' : '40';
    for (const [{ style }] of row) {
      style.setProperty('--_row-characters', String(characters));
      style.setProperty('--_row-height-share', share);
    }
  }
}
