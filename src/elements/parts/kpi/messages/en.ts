import { earlierIn } from './earlier.js';
import type { KpiMessages } from './messages.js';

const earlier = earlierIn('en');
const previous = {
  day: 'previous day',
  week: 'previous week',
  month: 'previous month',
  quarter: 'previous quarter',
  year: 'previous year',
  other: 'previous period',
};

/** English. */
export const en: KpiMessages = {
  versusPeriod: offset => {
    const ago = earlier(offset);
    return ago === null ? `vs ${previous[offset.unit]}` : `vs ${ago}`;
  },
  versus: title => `vs ${title}`,
  incomparable: 'no earlier figure',
  unchanged: 'unchanged',
  better: 'better',
  worse: 'worse',
  ofTarget: (percent, target) => `${percent} of the target (${target})`,
  noTarget: 'no target',
  trend: (from, to, lowest, highest) => `Line from ${from} to ${to}, lowest ${lowest}, highest ${highest}.`,
};
