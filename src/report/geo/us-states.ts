import states from 'us-atlas/states-albers-10m.json' with { type: 'json' };
import type { Topology } from './atlas.js';

/** Shapes of the states of the USA, already projected (Albers, 975 by 610). */
export const usStates: Topology = states as unknown as Topology;
