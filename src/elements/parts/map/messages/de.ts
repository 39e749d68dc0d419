import { countedIn } from '../../../messages/counted.js';
import type { MapMessages } from './messages.js';

const counted = countedIn('de');

/** German. */
export const de: MapMessages = {
  states: count => counted(count, { one: 'Karte mit # Bundesstaat.', other: 'Karte mit # Bundesstaaten.' }),
  countries: count => counted(count, { one: 'Karte mit # Land.', other: 'Karte mit # Ländern.' }),
  points: count => counted(count, { one: 'Karte mit # Punkt.', other: 'Karte mit # Punkten.' }),
  highest: (name, figure) => `Höchster Wert: ${name}, ${figure}.`,
  lowest: (name, figure) => `Niedrigster Wert: ${name}, ${figure}.`,
  notShown: count => counted(count, { other: '# nicht gezeigt' }),
  unfound: (count, examples) =>
    `${counted(count, { one: '# Ort wurde auf dieser Karte nicht gefunden', other: '# Orte wurden auf dieser Karte nicht gefunden' })}${examples && `: ${examples}`}.`,
  repeated: count =>
    counted(count, {
      one: '# weitere Zeile nennt einen Ort, der schon gezeichnet ist.',
      other: '# weitere Zeilen nennen Orte, die schon gezeichnet sind.',
    }),
  omitted: count =>
    counted(count, {
      one: '# Zeile wurde ausgelassen: Es sind zu viele zum Zeichnen.',
      other: '# Zeilen wurden ausgelassen: Es sind zu viele zum Zeichnen.',
    }),
};
