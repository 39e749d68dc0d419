import { join } from 'node:path';
import { CrashHost, victims } from '../../platform/durability/crash-host.js';
import { crashRounds } from '../../platform/durability/crash-rounds.js';
import { type BenchOptions, type Figure, median, millis } from '../figures.js';
import { root } from '../root.js';

const plan = { rounds: 50, writesPerRound: 200, writers: 8 } as const;

/** Kills platform and database during writes and checks that every acknowledged write is stored completely and once. */
export async function* crashFigures({
  note,
  onStop,
}: Pick<BenchOptions, 'note' | 'onStop'>): AsyncGenerator<Figure, void> {
  const host = await CrashHost.start([join(root, 'dist', 'cli', 'pa-platform.js')]);
  onStop(() => host.stop());
  const { faults, acknowledged, unknown, crashes } = await crashRounds(host, plan);
  await host.stop();
  for (const fault of faults.slice(0, 10)) note(`platform: ${fault}`);
  const writes = `${acknowledged + unknown} writes, ${unknown} without a response`;
  yield {
    what: `lost, duplicate or partial writes and orphans after ${plan.rounds} times kill -9 in ${writes}`,
    measured: `${faults.length}`,
    aim: '0',
  };
  for (const victim of victims) {
    const times = crashes.filter(crash => crash.victim === victim).map(({ recoveryMs }) => recoveryMs);
    yield { what: `kill -9 to ready, ${victim} killed, median`, measured: millis(median(times)), aim: '' };
  }
}
