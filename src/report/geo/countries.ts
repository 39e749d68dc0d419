import type { Topology } from 'topojson-specification';
import countries from 'world-atlas/countries-110m.json' with { type: 'json' };

/** Shapes of the countries of the world, in degrees. */
export const countriesOfTheWorld: Topology = countries as unknown as Topology;
