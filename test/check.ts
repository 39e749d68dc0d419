import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// `npm run check`: runs all scripts named `check:…` in order, at most one per processor at a time. The output of a
// check is printed after it has ended, so that the outputs of two checks do not mix. Every check runs, even if another
// one fails.

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
const failed: string[] = [];

interface CheckResult {
  readonly succeeded: boolean;
  readonly output: string;
}

function run(command: string): Promise<CheckResult> {
  return new Promise(resolve => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', ({ message }) => resolve({ succeeded: false, output: message }));
    child.on('close', code => resolve({ succeeded: code === 0, output }));
  });
}

async function runNext(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next;
    const start = Date.now();
    const { succeeded, output } = await run(command);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`\n— ${name}: ${succeeded ? 'passed' : 'FAILED'} (${seconds} s)\n${output.trimEnd()}`);
    if (!succeeded) failed.push(name);
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runNext));
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 && waiting.length === 0 ? 0 : 1;
