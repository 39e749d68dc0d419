import countries from 'world-atlas/countries-110m.json' with { type: 'json' };
import type { Topology } from './atlas.js';

/** Shapes of all countries, in degrees. */
export const countriesOfTheWorld: Topology = countries as unknown as Topology;
