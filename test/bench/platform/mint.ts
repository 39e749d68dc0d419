import { askChild } from '../data-child.js';
import { type Figure, millis } from '../figures.js';
import type { Host } from './host.js';
import type { MintLoad, MintResult, Spread } from './mint-generator.js';

const load = { connections: 32, measureMs: 8_000 } as const;
const tenants = 20;
const usersPerTenant = 25;

/** Measures sessions of returning users, minted and exchanged sequentially per connection, with a durable database. */
export async function* mintFigures(host: Host): AsyncGenerator<Figure, void> {
  const mints = Array.from({ length: tenants * usersPerTenant }, (_, index) =>
    host.mintText(`hosts-${index % tenants}`, `user-${Math.floor(index / tenants)}`),
  );
  const sent: MintLoad = { ...load, url: host.url, mints };
  const { perSecond, firstPerSecond, failed, mint, exchange } = await askChild<MintResult>(
    'platform/mint-generator.ts',
    sent,
  );
  const what = `sessions minted and exchanged, ${tenants} tenants x ${usersPerTenant} users, ${load.connections} connections`;
  yield { what, measured: `${Math.round(perSecond)}/s (failed ${failed})`, aim: '500/s' };
  yield { what: 'mint, p50 and p99', measured: spread(mint), aim: '' };
  yield { what: 'exchange, p50 and p99', measured: spread(exchange), aim: '' };
  yield { what: 'the same for new users', measured: `${Math.round(firstPerSecond)}/s`, aim: '' };
}

const spread = ({ medianMs, p99Ms }: Spread): string => `${millis(medianMs)}, ${millis(p99Ms)}`;
