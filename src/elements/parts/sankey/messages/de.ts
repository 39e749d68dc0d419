import { countedIn } from '../../../messages/counted.js';
import type { SankeyMessages } from './messages.js';

const counted = countedIn('de');

/** German. */
export const de: SankeyMessages = {
  flows: count => counted(count, { one: '# Fluss.', other: '# Flüsse.' }),
  largest: (name, figure) => `Größter: ${name}, ${figure}.`,
  flow: (from, to) => `${from} nach ${to}`,
  incoming: 'Eingang',
  outgoing: 'Ausgang',
  nothingFlows: ['Nichts fließt', 'Keine Zeile hat eine Zahl über null.'],
  notShown: count => counted(count, { other: '# nicht gezeigt' }),
  unusable: count =>
    counted(count, {
      one: '# Zeile ohne Zahl über null wurde ausgelassen.',
      other: '# Zeilen ohne Zahl über null wurden ausgelassen.',
    }),
  circular: count =>
    counted(count, {
      one: '# Fluss, der im Kreis führt, wurde ausgelassen.',
      other: '# Flüsse, die im Kreis führen, wurden ausgelassen.',
    }),
  omitted: count =>
    counted(count, {
      one: '# der kleinsten Flüsse wurde ausgelassen: Es sind zu viele zum Zeichnen.',
      other: '# der kleinsten Flüsse wurden ausgelassen: Es sind zu viele zum Zeichnen.',
    }),
};
