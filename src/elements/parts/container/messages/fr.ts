import type { ContainerMessages } from './messages.js';

/** French. */
export const fr: ContainerMessages = {
  tabs: 'Onglets',
  tab: number => `Onglet ${number}`,
  empty: ['Rien ici pour l’instant', 'Ce conteneur ne contient aucun élément.'],
  troubles: {
    type: name => ['Pas encore pris en charge', `Les widgets de type ${name} ne peuvent pas encore être affichés ici.`],
    missing: name => ['Un widget est absent', `« ${name} » est nommé ici, mais le tableau de bord ne le contient pas.`],
    twice: name => ['Affiché ailleurs', `« ${name} » est nommé plusieurs fois ; il se trouve au premier endroit.`],
    cycle: name => [
      'Un conteneur dans lui-même',
      `« ${name} » ne peut pas se trouver dans lui-même. L’auteur du tableau de bord doit le modifier.`,
    ],
    deep: name => [
      'Trop de niveaux',
      `Les conteneurs s’imbriquent sur quatre niveaux au plus ; « ${name} » serait le cinquième.`,
    ],
    app: () => [
      'Pas encore pris en charge',
      'Les tableaux de bord de ce type ne peuvent pas encore être affichés ici.',
    ],
  },
};
