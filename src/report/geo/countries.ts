import countries from 'world-atlas/countries-110m.json' with { type: 'json' };
import type { Topology } from './atlas.js';

/** Shapes of the countries of the world, in degrees. */
export const countriesOfTheWorld: Topology = countries as unknown as Topology;
