import type { TableMessages } from './messages.js';

const plural = new Intl.PluralRules('fr');
const isOne = (count: number): boolean => plural.select(count) === 'one';

/** French. */
export const fr: TableMessages = {
  sortHint: 'Clic ou Entrée trie, Maj ajoute une colonne, F2 change la largeur',
  sortsShown: 'Trie seulement les lignes affichées : il peut y en avoir d’autres',
  ascending: title => `${title}, croissant`,
  descending: title => `${title}, décroissant`,
  sortedBy: list => `Trié par ${list}`,
  unsorted: 'Dans l’ordre du rapport',
  width: title => `Largeur de ${title}`,
  copied: (count, text) => (isOne(count) ? `${text} cellule copiée` : `${text} cellules copiées`),
  copyTooMany: most => `Trop de cellules à copier : ${most} au plus`,
  leftOut: (count, text) =>
    isOne(count) ? `${text} autre ligne n’est pas imprimée.` : `${text} autres lignes ne sont pas imprimées.`,
  tones: { positive: 'bon', negative: 'mauvais', warning: 'avertissement', accent: 'mis en évidence' },
  trend: (count, text, from, to) => (isOne(count) ? `${text} valeur, ${to}` : `${text} valeurs, de ${from} à ${to}`),
  cut: 'Il y a plus que ce qu’un tableau peut contenir : toutes les colonnes et lignes ne sont pas affichées.',
  total: 'Total',
  columnGroup: 'Colonnes affichées',
  allGroups: 'Toutes les colonnes',
};
