import { cpus } from 'node:os';
import { measureVisits } from './page.js';
import { measureSizes } from './sizes.js';

// Prints the package's figures beside what they should be. Needs a build; asserts nothing, since clocks differ.

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function print(rows: readonly (readonly [string, string, string])[]): void {
  console.log(['| what | measured | aim |', '|---|---|---|', ...rows.map(row => `| ${row.join(' | ')} |`)].join('\n'));
}

const visits = await measureVisits(7);
const sizes = await measureSizes();
const dashboard = sizes.find(size => size.entry === 'pa-embed/pa-dashboard');

console.log(`\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}\n`);
print([
  [
    'last visible tile, warm demo at 1440x900 (median of 7)',
    `${Math.round(median(visits.map(visit => visit.drawn)))} ms`,
    '1200 ms',
  ],
  ['layout shift (worst of 7)', Math.max(...visits.map(visit => visit.shift)).toFixed(4), '0.02'],
  ...sizes.map(({ entry, eager, session }): [string, string, string] => [
    `${entry}, gzip: eager + with the session`,
    `${kilobytes(eager)} + ${kilobytes(session)}`,
    entry === 'pa-embed/pa-dashboard' ? '30 kB' : '',
  ]),
  ...Object.entries(dashboard?.lazy ?? {}).map(([part, bytes]): [string, string, string] => [
    `${part}, gzip, lazy`,
    kilobytes(bytes),
    part.includes('compiled') ? '160 kB' : part.includes('Vega-Lite') ? '230 kB' : '',
  ]),
]);
