import { countedIn } from '../../../messages/counted.js';
import type { SankeyMessages } from './messages.js';

const counted = countedIn('fr');

/** French. */
export const fr: SankeyMessages = {
  flows: count => counted(count, { one: '# flux.', other: '# flux.' }),
  largest: (name, figure) => `Le plus grand : ${name}, ${figure}.`,
  flow: (from, to) => `${from} vers ${to}`,
  incoming: 'Entrée',
  outgoing: 'Sortie',
  nothingFlows: ['Aucun flux', 'Aucune ligne n’a de chiffre supérieur à zéro.'],
  notShown: count => counted(count, { one: '# non affiché', other: '# non affichés' }),
  unusable: count =>
    counted(count, {
      one: '# ligne sans chiffre supérieur à zéro a été omise.',
      other: '# lignes sans chiffre supérieur à zéro ont été omises.',
    }),
  circular: count =>
    counted(count, {
      one: '# flux qui tourne en rond a été omis.',
      other: '# flux qui tournent en rond ont été omis.',
    }),
  omitted: count =>
    counted(count, {
      one: '# des plus petits flux a été omis : il y en a trop à dessiner.',
      other: '# des plus petits flux ont été omis : il y en a trop à dessiner.',
    }),
};
