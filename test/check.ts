import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// `npm run check`: all scripts named `check:…`, in their order, as many at once as there are processors. What a check has to say is told
// when it has ended, so that the words of two don't mix; every one is run, whatever another finds.

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
const failed: string[] = [];

interface Told {
  readonly succeeded: boolean;
  readonly words: string;
}

function run(command: string): Promise<Told> {
  return new Promise(resolve => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let words = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        words += text;
      });
    }
    child.on('error', ({ message }) => resolve({ succeeded: false, words: message }));
    child.on('close', code => resolve({ succeeded: code === 0, words }));
  });
}

async function lane(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next;
    const { succeeded, words } = await run(command);
    console.log(`\n— ${name}: ${succeeded ? 'well' : 'FAILED'}\n${words.trimEnd()}`);
    if (!succeeded) failed.push(name);
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
console.log(failed.length === 0 ? '\nAll checks are well.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 && waiting.length === 0 ? 0 : 1;
