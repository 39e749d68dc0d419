import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../data-platform.js';
import type { Bench } from '../figures.js';
import { crashFigures } from './crashes.js';
import { Host } from './host.js';
import { listFigures } from './lists.js';
import { mintFigures } from './mint.js';
import { raceFigures } from './races.js';
import { readFigures } from './reads.js';
import { startFigures } from './start.js';

/** Measures the Platform API in a separate process with an embedded, durable database. */
export const platformFigures: Bench = async function* ({ note, onStop, profileDirectory }) {
  const folder = await mkdtemp(join(tmpdir(), 'pa-bench-platform-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  note('platform: start and memory');
  yield* startFigures(folder, onStop);
  const data = join(folder, 'data');
  const platform = await startPlatform({ data, profileDirectory, onStop });
  const host = new Host(platform);
  note('platform: reads of published dashboards');
  yield* readFigures(host);
  note('platform: sessions');
  yield* mintFigures(host);
  note('platform: a list of 100,000 reports');
  yield* listFigures(host, data);
  note('platform: races');
  yield* raceFigures(host, data, note);
  await platform.stop();
  note('platform: kill -9 during 10,000 writes');
  yield* crashFigures({ note, onStop });
};
