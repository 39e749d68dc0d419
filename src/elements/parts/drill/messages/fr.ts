import { countedIn } from '../../../messages/counted.js';
import type { DrillMessages } from './messages.js';

const counted = countedIn('fr');

/** French. */
export const fr: DrillMessages = {
  rowsBehind: 'Lignes derrière le chiffre',
  path: 'Chemin de retour',
  close: 'Fermer',
  loading: 'Chargement des lignes…',
  empty: ['Aucune ligne', 'Il n’y a rien derrière ceci.'],
  cannotOpen: label => [
    'Non ouvert',
    `Cette page n’ouvre pas d’autres tableaux de bord : « ${label} » ne mène nulle part ici.`,
  ],
  downloadCsv: 'Télécharger en CSV',
  copy: 'Copier les lignes',
  copied: 'Lignes copiées',
  copyFailed: 'Le navigateur n’a pas autorisé la copie.',
  rowCount: count => counted(count, { one: '# ligne', other: '# lignes' }),
  firstRows: count => `Les ${count} premières lignes. Il peut y en avoir d’autres.`,
};
