import { earlierIn } from './earlier.js';
import type { KpiMessages } from './messages.js';

const earlier = earlierIn('es');
const previous = {
  day: 'el día anterior',
  week: 'la semana anterior',
  month: 'el mes anterior',
  quarter: 'el trimestre anterior',
  year: 'el año anterior',
  other: 'el período anterior',
};

/** Spanish. */
export const es: KpiMessages = {
  versusPeriod: offset => {
    const ago = earlier(offset);
    return ago === null ? `vs. ${previous[offset.unit]}` : `vs. ${ago}`;
  },
  versus: title => `vs. ${title}`,
  incomparable: 'sin cifra anterior',
  unchanged: 'sin cambios',
  better: 'mejor',
  worse: 'peor',
  ofTarget: (percent, target) => `${percent} del objetivo (${target})`,
  noTarget: 'sin objetivo',
  trend: (from, to, lowest, highest) => `Línea de ${from} a ${to}, mínimo ${lowest}, máximo ${highest}.`,
};
