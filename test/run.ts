import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.js';

// The whole test run: Node tests, element tests in the browser, end-to-end tests on the built package. Ends with what failed and one line of counts.

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'pa-embed-tests-'));
let child: ChildProcess | undefined;

interface Outcome {
  passed: number;
  failed: number;
  /** What failed, each with its file, its name and why. */
  failures: string[];
}

/** What is read of a report in the form of Vitest's JSON reporter. */
interface Report {
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
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

function readReport(file: string): Outcome {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const failures = (report.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed');
    if (status !== 'failed') return [];
    const where = relative(root, name);
    return failed.length === 0
      ? [`${where}\n${message ?? ''}`]
      : failed.map(test => `${where} > ${test.fullName}\n${(test.failureMessages ?? []).join('\n')}`);
  });
  return { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0, failures };
}

async function suite(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  console.log(`\n— ${name}`);
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
  const succeeded = await run(command, [...args], { ...env, PA_TEST_REPORT: report });
  try {
    const outcome = readReport(report);
    if (succeeded || outcome.failed > 0) return outcome;
    // A suite that failed without a failed test (a crash, a file that doesn't load) counts as one failure.
    return { ...outcome, failed: 1, failures: [...outcome.failures, `${name}: failed outside of its tests`] };
  } catch {
    return { passed: 0, failed: 1, failures: [`${name}: came to no report`] };
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
  const sum = (key: 'passed' | 'failed'): number => suites.reduce((total, outcome) => total + outcome[key], 0);
  // Last, and short: where only the end of the output is kept, it still says what failed.
  for (const failure of suites.flatMap(outcome => outcome.failures)) console.log(`\nFAILED ${failure.slice(0, 1500)}`);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 && suites.every(outcome => outcome.passed > 0) ? 0 : 1;
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
