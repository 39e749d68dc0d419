import { createPluralizer } from '../message-format.js';
import type { SharedMessages } from '../shared-messages.js';

const pluralize = createPluralizer('fr');

/** French messages that several elements have in common. */
export const shared: SharedMessages = {
  retry: 'Réessayer',
  tryAgain: 'Réessayer',
  details: 'Détails',
  code: 'Code d’erreur',
  request: 'Requête',
  cancel: 'Annuler',
  sessionOver: ['La session a expiré', 'Rechargez la page ou reconnectez-vous.'],
  sessionEnded: ['Votre session est terminée', 'Rechargez la page ou reconnectez-vous pour continuer.'],
  sessionFailed: [
    'La session n’a pas pu démarrer',
    'Réessayez. Si le problème persiste, contactez le responsable de cette page.',
  ],
  downloadCsv: 'Télécharger en CSV',
  copy: 'Copier',
  copied: 'Copié',
  copyRows: 'Copier les lignes',
  rowsCopied: 'Lignes copiées',
  copyFailed: 'Le navigateur a bloqué la copie.',
  notShown: count => pluralize(count, { one: '# non affiché', other: '# non affichés' }),
};
