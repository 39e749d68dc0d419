import { earlierIn } from './earlier.js';
import type { KpiMessages } from './messages.js';

const earlier = earlierIn('de');
const previous = {
  day: 'Vortag',
  week: 'Vorwoche',
  month: 'Vormonat',
  quarter: 'Vorquartal',
  year: 'Vorjahr',
  other: 'Vorzeitraum',
};

/** German. */
export const de: KpiMessages = {
  versusPeriod: offset => {
    const ago = earlier(offset);
    return ago === null ? `ggü. ${previous[offset.unit]}` : `ggü. ${ago}`;
  },
  versus: title => `ggü. ${title}`,
  incomparable: 'kein früherer Wert',
  unchanged: 'unverändert',
  better: 'besser',
  worse: 'schlechter',
  ofTarget: (percent, target) => `${percent} des Ziels (${target})`,
  noTarget: 'kein Ziel',
  trend: (from, to, lowest, highest) => `Linie von ${from} bis ${to}, niedrigster Wert ${lowest}, höchster ${highest}.`,
};
