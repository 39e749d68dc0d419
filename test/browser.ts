import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import './fonts.mjs';
import { testDepth } from './property.js';

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome'];
const headlessShell = 'chromium-headless-shell';
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Flags for a browser that tests drive: no sandbox (needed as root), and no background connections. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findOnPath(candidates: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap(folder => candidates.map(name => join(folder, name))).find(isExecutable);
}

const findInstalled = (): string | undefined => findOnPath(names) ?? elsewhere.find(isExecutable);

/** Whether `installPackages` can work: on Debian as root. */
export function canInstallPackages(): boolean {
  try {
    return process.getuid?.() === 0 && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Installs packages of Debian.
 * @throws Error if apt-get fails.
 */
export function installPackages(...packages: string[]): void {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update', '-q'], options);
  execFileSync('apt-get', ['install', '-yq', '--no-install-recommends', ...packages], options);
}

/** @throws Error if CHROME_PATH is set but is not an executable file. */
function namedBrowser(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named && !isExecutable(named)) throw new Error(`CHROME_PATH is ${named}, which is not an executable file.`);
  return named || undefined;
}

/**
 * Returns the path of Chrome or Chromium: CHROME_PATH, otherwise an installed one, otherwise, on Debian as root,
 * Debian's `chromium`, which is installed if needed.
 * @throws Error that says what to install.
 */
export function findBrowser(): string {
  const found = namedBrowser() ?? findInstalled();
  if (found) return found;
  if (!canInstallPackages()) {
    throw new Error('The tests need Chrome or Chromium: install one, or set CHROME_PATH to its executable.');
  }
  console.log('No Chrome or Chromium found: installing chromium with apt-get.');
  installPackages('chromium');
  const fresh = findInstalled();
  if (!fresh) throw new Error('apt-get installed chromium, but no executable of that name is on PATH.');
  return fresh;
}

/**
 * Returns the path of the browser that drives tests: CHROME_PATH, otherwise Chromium's headless shell, which renders a
 * page in two thirds of the time and is installed if it is missing on Debian as root, otherwise the result of
 * `findBrowser`. The deep run always uses the complete browser, which is what viewers have.
 * @throws Error that says what to install.
 */
export function findTestBrowser(): string {
  const named = namedBrowser();
  if (named || testDepth() === 'deep') return named ?? findBrowser();
  const installed = findOnPath([headlessShell]);
  if (installed || !canInstallPackages()) return installed ?? findBrowser();
  try {
    installPackages(headlessShell);
  } catch {
    console.log(`Could not install ${headlessShell} with apt-get: the tests use another browser.`);
  }
  return findOnPath([headlessShell]) ?? findBrowser();
}
