import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.js';

// The whole test run: Node tests, element tests in the browser, end-to-end tests on the built package. Ends with one line of counts.

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'pa-embed-tests-'));
let child: ChildProcess | undefined;

interface Counts {
  passed: number;
  failed: number;
}

/** Runs a command in a process group of its own, so that stopping it stops whatever it started. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise(resolve => {
    const started = spawn(command, args, { cwd: root, stdio: 'inherit', env, detached: true });
    child = started;
    started.on('error', () => resolve(false));
    started.on('exit', code => {
      stopGroup();
      resolve(code === 0);
    });
  });
}

function stopGroup(): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // The group has ended already.
  }
  child = undefined;
}

function countsIn(file: string): Counts {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const count = (key: string): number => Number(Object(report)[key] ?? 0);
  return { passed: count('numPassedTests'), failed: count('numFailedTests') };
}

async function suite(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  console.log(`\n— ${name}`);
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
  const succeeded = await run(command, [...args], { ...env, PA_TEST_REPORT: report });
  try {
    const counts = countsIn(report);
    // A suite that failed without a failed test (a crash, a file that doesn't load) counts as one failure.
    return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

async function main(): Promise<number> {
  const env = { ...process.env, CHROME_PATH: findBrowser(), FORCE_COLOR: '0' };
  const bin = (name: string): string => join(root, 'node_modules', '.bin', name);
  console.log('— build');
  if (!(await run('npm', ['run', '--silent', 'build'], env))) {
    console.log('The build failed.\n0 passed, 1 failed');
    return 1;
  }
  const suites = [
    await suite('Node tests', bin('vitest'), ['run'], env),
    await suite('element tests', bin('wtr'), ['--config', 'test/web-test-runner.config.mjs'], env),
    await suite('end-to-end tests', bin('vitest'), ['run', '--mode', 'e2e'], env),
  ];
  const sum = (key: keyof Counts): number => suites.reduce((total, counts) => total + counts[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 && suites.every(counts => counts.passed > 0) ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopGroup();
    process.exit(1);
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
