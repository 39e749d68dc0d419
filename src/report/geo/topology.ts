import type { mesh } from 'topojson-client';

/** Shapes that share their borders (TopoJSON). */
export type Topology = Parameters<typeof mesh>[0];

/** A list of shapes. */
export type ShapeList = Extract<Parameters<typeof mesh>[1], { type: 'GeometryCollection' }>;
