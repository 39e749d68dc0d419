import { countedIn } from '../../../messages/counted.js';
import type { SankeyMessages } from './messages.js';

const counted = countedIn('en');

/** English. */
export const en: SankeyMessages = {
  flows: count => counted(count, { one: '# flow.', other: '# flows.' }),
  largest: (name, figure) => `Largest: ${name}, ${figure}.`,
  flow: (from, to) => `${from} to ${to}`,
  incoming: 'In',
  outgoing: 'Out',
  nothingFlows: ['Nothing flows', 'No row has a figure above zero.'],
  notShown: count => counted(count, { other: '# not shown' }),
  unusable: count =>
    counted(count, {
      one: '# row without a figure above zero was left out.',
      other: '# rows without a figure above zero were left out.',
    }),
  circular: count =>
    counted(count, {
      one: '# flow that leads back in a circle was left out.',
      other: '# flows that lead back in a circle were left out.',
    }),
  omitted: count =>
    counted(count, {
      one: '# of the smallest flows was left out: there are too many to draw.',
      other: '# of the smallest flows were left out: there are too many to draw.',
    }),
};
