import { countedIn } from '../../../messages/counted.js';
import type { MapMessages } from './messages.js';

const counted = countedIn('en');

/** English. */
export const en: MapMessages = {
  states: count => counted(count, { one: 'Map of # state.', other: 'Map of # states.' }),
  countries: count => counted(count, { one: 'Map of # country.', other: 'Map of # countries.' }),
  points: count => counted(count, { one: 'Map of # point.', other: 'Map of # points.' }),
  highest: (name, figure) => `Highest: ${name}, ${figure}.`,
  lowest: (name, figure) => `Lowest: ${name}, ${figure}.`,
  notShown: count => counted(count, { other: '# not shown' }),
  unfound: (count, examples) =>
    `${counted(count, { one: '# place was not found on this map', other: '# places were not found on this map' })}${examples && `: ${examples}`}.`,
  repeated: count =>
    counted(count, {
      one: '# further row names a place that is drawn already.',
      other: '# further rows name places that are drawn already.',
    }),
  omitted: count =>
    counted(count, {
      one: '# row was left out: there are too many to draw.',
      other: '# rows were left out: there are too many to draw.',
    }),
};
