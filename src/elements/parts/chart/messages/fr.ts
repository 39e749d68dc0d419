import type { MarkKind } from '../../../../controllers/chart-controller.js';
import { countedIn, type Forms, figuresIn } from '../../../messages/counted.js';
import type { ChartMessages } from './messages.js';

const counted = countedIn('fr');
const figure = figuresIn('fr');

const kinds: Readonly<Record<MarkKind, Forms>> = {
  bar: { one: '# barre', other: '# barres' },
  line: { one: '# ligne', other: '# lignes' },
  area: { one: '# aire', other: '# aires' },
  point: { one: '# point', other: '# points' },
  slice: { one: '# secteur', other: '# secteurs' },
  cell: { one: '# cellule', other: '# cellules' },
  mark: { one: '# repère', other: '# repères' },
};

/** French. */
export const fr: ChartMessages = {
  chart: 'graphique',
  keys: 'Les flèches vont d’un repère à l’autre, Entrée en choisit un, Maj+F10 ouvre son menu, Échap quitte.',
  marks: (kind, count) => counted(count, kinds[kind]),
  noMarks: 'Rien n’est dessiné',
  highest: (name, value) => `maximum ${name} ${value}`,
  range: (title, from, to) => `${title} : de ${from} à ${to}.`,
  values: (title, count) => `${title}: ${counted(count, { one: '# valeur.', other: '# valeurs.' })}`,
  more: count => `+${figure.format(count)} autres`,
  tooMany: (count, most) =>
    `${figure.format(count)} repères, c’est trop : choisissez-en ${figure.format(most)} au plus.`,
  position: (position, count) => `${figure.format(position)} sur ${figure.format(count)}`,
};
