import { earlierIn } from './earlier.js';
import type { KpiMessages } from './messages.js';

const earlier = earlierIn('fr');
const previous = {
  day: 'jour précédent',
  week: 'semaine précédente',
  month: 'mois précédent',
  quarter: 'trimestre précédent',
  year: 'année précédente',
  other: 'période précédente',
};

/** French. */
export const fr: KpiMessages = {
  versusPeriod: offset => {
    const ago = earlier(offset);
    return ago === null ? `vs ${previous[offset.unit]}` : `vs ${ago}`;
  },
  versus: title => `vs ${title}`,
  incomparable: 'pas de chiffre antérieur',
  unchanged: 'inchangé',
  better: 'mieux',
  worse: 'moins bien',
  ofTarget: (percent, target) => `${percent} de l’objectif (${target})`,
  noTarget: 'pas d’objectif',
  trend: (from, to, lowest, highest) => `Ligne de ${from} à ${to}, minimum ${lowest}, maximum ${highest}.`,
};
