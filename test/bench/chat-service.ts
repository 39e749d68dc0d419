import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFault } from './chat-drops.js';
import { type ChatUser, cpuOf, memoryOf, type Read, readStream } from './chat-streams.js';
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
  const users: ChatUser[] = [];
  for (let user = 0; user < streamsAtOnce; user++) {
    const airport = ['ORD', 'DFW', 'ATL', 'LAX'][user % 4] ?? 'ORD';
    const token = await platform.mintEmbedToken(airport, `bench-${user}`);
    users.push({ url: `${platform.url}/api/v1/public/local/agents/1`, token });
  }
  yield* crowd(platform, users, note);
  yield* dropped(users, note);
  await platform.stop();
};

async function* crowd(
  platform: RunningPlatform,
  users: readonly ChatUser[],
  note: BenchOptions['note'],
): AsyncGenerator<Figure, void> {
  const firsts: number[] = [];
  const memory: number[] = [];
  const work: number[] = [];
  let failed = 0;
  for (let wave = 0; wave < waves; wave++) {
    note(`chat: ${streamsAtOnce} concurrent streams, wave ${wave + 1} of ${waves}`);
    const before = cpuOf(platform.pid);
    const all = await Promise.all(
      users.map((user, index) =>
        readStream(user, { input: questions[(index + wave) % questions.length] ?? '', messageId: messageIdOf(wave) }),
      ),
    );
    failed += all.filter(read => !isWhole(read)).length;
    firsts.push(median(all.map(({ firstMs }) => firstMs)));
    work.push((cpuOf(platform.pid) - before) / streamsAtOnce);
    memory.push(memoryOf(platform.pid) ?? Number.NaN);
  }
  yield {
    what: `${streamsAtOnce} concurrent streams, the built-in analyst: first frame, median (worst of ${waves} waves)`,
    measured: `${millis(Math.max(...firsts))} (${firsts.map(Math.round).join(', ')})`,
    aim: '150 ms',
  };
  yield { what: 'incomplete answers', measured: `${failed} of ${streamsAtOnce * waves}`, aim: '0' };
  yield {
    what: 'platform CPU per answer, by wave',
    measured: `${work.map(spent => spent.toFixed(1)).join(', ')} ms`,
    aim: '',
  };
  yield {
    what: 'platform memory after each wave',
    measured: `${memory.map(Math.round).join(', ')} MB`,
    aim: 'flat',
  };
}

async function* dropped(users: readonly ChatUser[], note: BenchOptions['note']): AsyncGenerator<Figure, void> {
  note(`chat: ${drops} dropped connections`);
  const faults: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < drops; index = next++) {
      const user = users[index % users.length];
      const fault = user && (await faultAfterDrop(user, index));
      if (fault != null) faults.push(`drop ${index}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: dropsAtOnce }, worker));
  for (const fault of faults.slice(0, 5)) note(`chat: ${fault}`);
  yield {
    what: `${drops} dropped and resumed connections: answers with lost or duplicate frames`,
    measured: String(faults.length),
    aim: '0',
  };
}

/** Drops a stream and resumes after the last event id, then reads the complete turn and compares. */
async function faultAfterDrop(user: ChatUser, index: number): Promise<string | null> {
  const messageId = messageIdOf(1000 + index);
  const input = questions[index % questions.length] ?? '';
  const first = await readStream(user, { input, messageId, dropAfter: 1 + (index % 25) });
  const lastEventId = first.events.findLast(({ id }) => id !== null)?.id;
  const again = await readStream(user, { messageId, ...(lastEventId == null ? {} : { lastEventId }) });
  const whole = await readStream(user, { messageId });
  const unread = [first, again, whole].find(({ status }) => status !== 200);
  if (unread) return `HTTP ${unread.status}`;
  return isWhole(whole) ? findFault([first, again], whole) : 'incomplete answer';
}

const startTime = Date.now();

function messageIdOf(number: number): string {
  return `${startTime + number}-message`;
}

function isWhole({ events }: Read): boolean {
  return events.some(({ frame }) => frame.finishReason === 'stop') && events.at(-1)?.frame.id === '__usage__';
}
