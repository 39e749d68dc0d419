import { countedIn } from './counted.js';
import type { Messages } from './messages.js';

const counted = countedIn('fr');

/** French. */
export const fr: Messages = {
  retry: 'Réessayer',
  retryAll: 'Tout recharger',
  details: 'Détails',
  code: 'Code d’erreur',
  request: 'Requête',
  dashboard: 'Tableau de bord',
  report: 'Rapport',
  text: 'Texte',
  problems: {
    offline: ['Vous êtes hors ligne', 'Le chargement reprendra dès le retour de la connexion.'],
    unreachable: ['Les données sont inaccessibles', 'Vérifiez la connexion, puis réessayez.'],
    timeout: ['Cela prend trop de temps', 'Réessayez dans un instant.'],
    session: ['La session est terminée', 'Rechargez la page ou reconnectez-vous.'],
    denied: ['Vous n’y avez pas accès', 'Demandez l’accès au responsable de cette page.'],
    missing: ['Indisponible', 'Ce contenu n’est peut-être pas publié ou pas partagé avec vous.'],
    rejected: ['Ce rapport ne peut pas être exécuté', 'Son auteur doit le modifier.'],
    drawing: ['Ce rapport ne peut pas être affiché', 'Son auteur doit le modifier.'],
    failed: ['Une erreur s’est produite', 'Réessayez dans un instant.'],
  },
  empty: ['Aucune donnée', 'Ce rapport ne contient encore rien.'],
  emptyFiltered: ['Aucune donnée', 'Rien ne correspond aux filtres de ce rapport.'],
  emptyChosen: ['Aucune donnée', 'Rien ne correspond aux choix faits ci-dessus.'],
  emptyChosenBy: names => `Rien ne correspond au choix fait pour ${names}.`,
  clearFilters: count => (count === 1 ? 'Retirer le filtre' : 'Retirer ces filtres'),
  emptyDashboard: ['Encore rien ici', 'Ce tableau de bord n’a aucun élément.'],
  unsupportedKind: ['Pas encore pris en charge', 'Les rapports de ce type ne peuvent pas encore être affichés ici.'],
  noQuery: ['Aucune requête', 'Ce rapport n’interroge rien. Son auteur doit le modifier.'],
  missingReport: ['Aucun rapport', 'Le rapport de cet élément ne fait pas partie du tableau de bord publié.'],
  missingDashboard: [
    'Aucun tableau de bord avec cet identifiant public',
    'Vérifiez l’identifiant public. Le tableau de bord n’est peut-être pas publié ou pas partagé avec vous.',
  ],
  sessionEnded: ['Votre session est terminée', 'Rechargez la page ou reconnectez-vous pour continuer.'],
  sessionFailed: [
    'La session n’a pas pu démarrer',
    'Réessayez ; si cela persiste, prévenez le responsable de cette page.',
  ],
  tryAgain: 'Réessayer',
  stillWorking: 'Toujours en cours…',
  cancel: 'Annuler',
  stopped: ['Arrêté', 'Vous l’avez annulé avant la fin.'],
  tileMenu: title => `Menu de ${title}`,
  filtered: 'Filtré',
  filteredHint: names => `Seul ce qui correspond à ${names} est pris en compte ici.`,
  firstRows: count => `${count} premières lignes ; il peut y en avoir d’autres`,
  firstRowsHint: count =>
    `La réponse s’arrête à ${count} lignes. Il peut y en avoir d’autres, et les chiffres peuvent être incomplets.`,
  firstRowsOf: (count, total) => `${count} premières lignes sur ${total}`,
  firstRowsOfHint: (count, total) =>
    `La réponse s’arrête à ${count} lignes sur ${total}. Les chiffres peuvent être incomplets.`,
  showingOf: (shown, total) => `${shown} sur ${total} affichés`,
  showingOfHint: (shown, total) =>
    `${total} marques ne pourraient être distinguées : ${shown} sont dessinées, réparties sur tout le graphique.`,
  stale: 'Pas à jour',
  staleHint: 'Vous avez annulé les lignes plus récentes. Ce que vous voyez date d’avant.',
  controls: 'Commandes',
  allValues: 'Tout',
  ownGranularity: 'Comme dans chaque rapport',
  ignoresControls: 'Ignore les commandes',
  ignoresControlsHint: (names, reason) =>
    `Ce qui est choisi par ${names} n’agit pas sur ce rapport.${reason ? ` Son SQL est exécuté tel quel : ${reason}` : ''}`,
  ignoredBecause: {
    grains: 'Ses lignes sont groupées par deux granularités de ce temps.',
    taken: 'Il contient déjà ce champ.',
    condition: 'Cette condition ne peut pas s’appliquer à ce champ.',
  },
  hiddenWidgets: count =>
    counted(count, {
      one: '# élément ne peut pas encore être affiché ici.',
      other: '# éléments ne peuvent pas encore être affichés ici.',
    }),
  allFailed: 'Aucun élément n’a pu être chargé',
  notLoaded: 'Non chargé',
  failedTiles: count =>
    counted(count, { one: '# élément n’a pas pu être chargé.', other: '# éléments n’ont pas pu être chargés.' }),
};
