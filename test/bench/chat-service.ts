import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFault } from './chat-drops.js';
import { type Asker, cpuOf, memoryOf, type Read, readStream } from './chat-streams.js';
import { prepareSources } from './data.js';
import { type RunningPlatform, startPlatform } from './data-platform.js';
import { type Bench, type BenchOptions, type Figure, median, millis } from './figures.js';
import { root } from './root.js';

const questions = [
  'How many flights were there?',
  'Flights by month',
  'Top 5 destinations by average delay',
  'On-time share by day of week',
  'Average delay in March 2001',
  'Longest delay by destination state',
];
const streamsAtOnce = 200;
const waves = 5;
const drops = 1000;
const dropsAtOnce = 40;

/** Measures the Chat API with many concurrent streams and dropped connections. */
export const chatServiceFigures: Bench = async function* (options) {
  const { note, onStop, profileDirectory } = options;
  const folder = await mkdtemp(join(tmpdir(), 'pa-bench-chat-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  note('chat: starting the platform');
  const sources = await prepareSources();
  const model = join(root, 'demo', 'model');
  const platform = await startPlatform({ model, sources, data: join(folder, 'data'), profileDirectory, onStop });
  const askers: Asker[] = [];
  for (let user = 0; user < streamsAtOnce; user++) {
    const airport = ['ORD', 'DFW', 'ATL', 'LAX'][user % 4] ?? 'ORD';
    const token = await platform.mintEmbedToken(airport, `bench-${user}`);
    askers.push({ url: `${platform.url}/api/v1/public/local/agents/1`, token });
  }
  yield* crowd(platform, askers, note);
  yield* dropped(askers, note);
  await platform.stop();
};

async function* crowd(
  platform: RunningPlatform,
  askers: readonly Asker[],
  note: BenchOptions['note'],
): AsyncGenerator<Figure, void> {
  const firsts: number[] = [];
  const memory: number[] = [];
  const work: number[] = [];
  let failed = 0;
  for (let wave = 0; wave < waves; wave++) {
    note(`chat: ${streamsAtOnce} streams at once, ${wave + 1} of ${waves}`);
    const before = cpuOf(platform.pid);
    const all = await Promise.all(
      askers.map((asker, index) =>
        readStream(asker, { input: questions[(index + wave) % questions.length] ?? '', messageId: messageIdOf(wave) }),
      ),
    );
    failed += all.filter(read => !isWhole(read)).length;
    firsts.push(median(all.map(({ firstMs }) => firstMs)));
    work.push((cpuOf(platform.pid) - before) / streamsAtOnce);
    memory.push(memoryOf(platform.pid) ?? Number.NaN);
  }
  yield {
    what: `${streamsAtOnce} streams at once, the built-in analyst: first frame, median (worst of ${waves} waves)`,
    measured: `${millis(Math.max(...firsts))} (${firsts.map(Math.round).join(', ')})`,
    aim: '200 ms',
  };
  yield { what: 'answers of these that were not whole', measured: `${failed} of ${streamsAtOnce * waves}`, aim: '0' };
  yield {
    what: 'CPU of the platform for one of these answers, by wave',
    measured: `${work.map(spent => spent.toFixed(1)).join(', ')} ms`,
    aim: '',
  };
  yield {
    what: 'memory of the platform after each wave',
    measured: `${memory.map(Math.round).join(', ')} MB`,
    aim: 'flat',
  };
}

async function* dropped(askers: readonly Asker[], note: BenchOptions['note']): AsyncGenerator<Figure, void> {
  note(`chat: ${drops} dropped connections`);
  const faults: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < drops; index = next++) {
      const asker = askers[index % askers.length];
      const fault = asker && (await faultAfterDrop(asker, index));
      if (fault != null) faults.push(`drop ${index}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: dropsAtOnce }, worker));
  for (const fault of faults.slice(0, 5)) note(`chat: ${fault}`);
  yield {
    what: `${drops} connections dropped and resumed: answers with a frame lost or doubled`,
    measured: String(faults.length),
    aim: '0',
  };
}

/** Drops a stream and resumes after the last event id, then reads the whole turn and compares. */
async function faultAfterDrop(asker: Asker, index: number): Promise<string | null> {
  const messageId = messageIdOf(1000 + index);
  const input = questions[index % questions.length] ?? '';
  const first = await readStream(asker, { input, messageId, dropAfter: 1 + (index % 25) });
  const lastEventId = first.events.findLast(({ id }) => id !== null)?.id;
  const again = await readStream(asker, { messageId, ...(lastEventId == null ? {} : { lastEventId }) });
  const whole = await readStream(asker, { messageId });
  const unread = [first, again, whole].find(({ status }) => status !== 200);
  if (unread) return `HTTP ${unread.status}`;
  return isWhole(whole) ? findFault([first, again], whole) : 'no whole answer';
}

const begun = Date.now();

function messageIdOf(number: number): string {
  return `${begun + number}-message`;
}

function isWhole({ events }: Read): boolean {
  return events.some(({ frame }) => frame.finishReason === 'stop') && events.at(-1)?.frame.id === '__usage__';
}
