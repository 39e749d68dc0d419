import type { MenuMessages } from './messages.js';

/** French. */
export const fr: MenuMessages = {
  showAsTable: 'Afficher en tableau',
  showAsChart: 'Afficher en graphique',
  downloadCsv: 'Télécharger en CSV',
  downloadSvg: 'Télécharger en SVG',
  copy: 'Copier les lignes',
  copied: 'Lignes copiées',
  copyFailed: 'Le navigateur n’a pas autorisé la copie.',
  downloadFailed: 'Le téléchargement a échoué.',
  refresh: 'Actualiser',
  fullscreen: 'Plein écran',
  exitFullscreen: 'Quitter le plein écran',
  showRows: 'Afficher les lignes correspondantes',
  filterByThis: 'Filtrer le tableau de bord par cette valeur',
  stopFiltering: 'Ne plus filtrer par cette valeur',
  newTab: 's’ouvre dans un nouvel onglet',
};
