import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { prepareSources } from '../data.js';
import { type RunningPlatform, startPlatform } from '../data-platform.js';
import { type BenchOptions, type Figure, median, millis } from '../figures.js';
import { root } from '../root.js';

const warmStarts = 3;
const idleMs = 3_000;

/** Measures the start time of a platform with a new and an existing folder, and the idle memory of its processes. */
export async function* startFigures(folder: string, onStop: BenchOptions['onStop']): AsyncGenerator<Figure, void> {
  const sources = await prepareSources();
  const settings = { 'without a model': {}, "with the demo's model": { model: join(root, 'demo', 'model'), sources } };
  for (const [what, setting] of Object.entries(settings)) {
    const data = join(folder, what.replace(/\W+/g, '-'));
    const start = () => startPlatform({ ...setting, data, profileDirectory: null, onStop });
    const cold = await start();
    const memory = await idleMemory(cold);
    await cold.stop();
    const warm: number[] = [];
    for (let round = 0; round < warmStarts; round++) {
      const platform = await start();
      warm.push(platform.startMs);
      await platform.stop();
    }
    yield { what: `start to ready ${what}, with a new folder`, measured: millis(cold.startMs), aim: '3 s' };
    yield {
      what: `start to ready ${what}, with an existing folder, median`,
      measured: millis(median(warm)),
      aim: '1 s',
    };
    yield { what: `idle memory of all processes, ${what}`, measured: memory, aim: '400 MB' };
  }
}

async function idleMemory({ pid }: RunningPlatform): Promise<string> {
  await setTimeout(idleMs);
  const [own, ...others] = familyOf(pid).map(proportionalMemory);
  if (own === undefined || [own, ...others].some(Number.isNaN)) return 'not available on this system';
  const database = others.reduce((sum, each) => sum + each, 0);
  return `${Math.round(own + database)} MB (platform ${Math.round(own)}, database ${Math.round(database)})`;
}

/** Returns the ids of a process and its descendants. */
function familyOf(pid: number): number[] {
  const parents = new Map(processes().map(each => [each, parentOf(each)]));
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member && !family.includes(child)) family.push(child);
  }
  return family;
}

function processes(): number[] {
  try {
    return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

/** Returns the proportional set size in MB: shared memory is divided among its processes. */
function proportionalMemory(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
