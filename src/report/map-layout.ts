import type { Atlas } from './geo/atlas.js';
import type { MapPlaces } from './map.js';

/** Room of a drawing, px. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** How an atlas is laid into its room: what was at (x, y) stands at (left + x * scale, top + y * scale). */
export interface MapFrame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  /** Radius of the largest point, px. */
  readonly radius: number;
  /** Height of the legend below the map, 0 where there is no room for one. */
  readonly legend: number;
}

const legendHeight = 36;
const smallestWithLegend = { width: 200, height: 150 };
const smallestRadius = 2.5;

/** Lays an atlas as large as it gets into the middle of its room, above the legend. */
export function frameMap({ width, height }: Pick<Atlas, 'width' | 'height'>, room: Room, hasLegend: boolean): MapFrame {
  const fits = room.width >= smallestWithLegend.width && room.height >= smallestWithLegend.height;
  const legend = hasLegend && fits ? legendHeight : 0;
  const free = Math.max(1, room.height - legend);
  const scale = Math.max(0.001, Math.min(room.width / width, free / height));
  return {
    scale,
    left: (room.width - width * scale) / 2,
    top: (free - height * scale) / 2,
    radius: Math.max(5, Math.min(22, Math.min(room.width, free) / 18)),
    legend,
  };
}

/** Radius of a point, px: its area is as its figure. */
export function pointRadius(size: number | null, { largest }: Pick<MapPlaces, 'largest'>, frame: MapFrame): number {
  if (size === null || largest <= 0) return size === null ? 4 : smallestRadius;
  return Math.max(smallestRadius, Math.sqrt(size / largest) * frame.radius);
}
