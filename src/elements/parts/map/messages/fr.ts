import { countedIn } from '../../../messages/counted.js';
import type { MapMessages } from './messages.js';

const counted = countedIn('fr');

/** French. */
export const fr: MapMessages = {
  states: count => counted(count, { one: 'Carte de # État.', other: 'Carte de # États.' }),
  countries: count => counted(count, { one: 'Carte de # pays.', other: 'Carte de # pays.' }),
  points: count => counted(count, { one: 'Carte de # point.', other: 'Carte de # points.' }),
  highest: (name, figure) => `Maximum : ${name}, ${figure}.`,
  lowest: (name, figure) => `Minimum : ${name}, ${figure}.`,
  notShown: count => counted(count, { one: '# non affiché', other: '# non affichés' }),
  unfound: (count, examples) =>
    `${counted(count, { one: '# lieu introuvable sur cette carte', other: '# lieux introuvables sur cette carte' })}${examples && ` : ${examples}`}.`,
  repeated: count =>
    counted(count, {
      one: '# autre ligne nomme un lieu déjà dessiné.',
      other: '# autres lignes nomment des lieux déjà dessinés.',
    }),
  omitted: count =>
    counted(count, {
      one: '# ligne a été omise : il y en a trop à dessiner.',
      other: '# lignes ont été omises : il y en a trop à dessiner.',
    }),
};
