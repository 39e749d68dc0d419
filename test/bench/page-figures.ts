import { type Bench, type Figure, median } from './figures.js';
import { measureVisits } from './page.js';
import { measureSizes, type Size } from './sizes.js';

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

const partAims: Readonly<Record<string, string>> = {
  'chart, compiled Vega': '160 kB',
  'chart, Vega-Lite': '230 kB',
  'chat, Markdown': '18 kB',
};
const shellAims: Readonly<Record<string, string>> = { 'pa-embed/pa-dashboard': '30 kB', 'pa-embed/pa-chat': '36 kB' };

/** Returns the lazy-loaded parts of an entry, except those that are not loaded or were listed for a previous entry. */
const lazyParts = (size: Size | undefined, index: number): [string, number][] =>
  Object.entries(size?.lazy ?? {}).filter(([part, bytes]) => bytes > 0 && (index === 0 || part.startsWith('chat, ')));

/** Measures the load time of the demo's page and the size that elements add to a host's page. */
export const pageFigures: Bench = async function* ({ note }) {
  note('page: visiting the demo');
  const visits = await measureVisits(7);
  note('page: bundling each entry');
  const sizes = await measureSizes();
  const dashboard = sizes.find(size => size.entry === 'pa-embed/pa-dashboard');
  const chat = sizes.find(size => size.entry === 'pa-embed/pa-chat');
  yield* [
    {
      what: 'last visible tile, warm demo at 1440x900 (median of 7)',
      measured: `${Math.round(median(visits.map(visit => visit.drawn)))} ms`,
      aim: '1200 ms',
    },
    {
      what: 'layout shift (worst of 7)',
      measured: Math.max(...visits.map(visit => visit.shift)).toFixed(4),
      aim: '0.02',
    },
    ...sizes.map(
      ({ entry, eager, session }): Figure => ({
        what: `${entry}, gzip: eager + with the session`,
        measured: `${kilobytes(eager)} + ${kilobytes(session)}`,
        aim: shellAims[entry] ?? '',
      }),
    ),
    ...[dashboard, chat].flatMap(lazyParts).map(
      ([part, bytes]): Figure => ({
        what: `${part}, gzip, lazy`,
        measured: kilobytes(bytes),
        aim: partAims[part] ?? '',
      }),
    ),
  ];
};
