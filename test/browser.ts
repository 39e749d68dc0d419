import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import './fonts.mjs';

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Flags for a browser that tests drive: no sandbox (needed as root), and no connection of its own to anywhere. */
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

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders.flatMap(folder => names.map(name => join(folder, name))), ...elsewhere].find(isExecutable);
}

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

/**
 * Path of the browser that tests use: CHROME_PATH, else an installed Chrome or Chromium, else, on Debian as root, Debian's
 * own `chromium`, which is installed here.
 * @throws Error with one sentence that says what to install.
 */
export function findBrowser(): string {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, which is not an executable file.`);
  }
  const found = installed();
  if (found) return found;
  if (!canInstallPackages()) {
    throw new Error('The tests need Chrome or Chromium: install one, or name it with CHROME_PATH.');
  }
  console.log('No Chrome or Chromium found: installing chromium with apt-get.');
  installPackages('chromium');
  const fresh = installed();
  if (!fresh) throw new Error('apt-get installed chromium, but no executable of that name is on PATH.');
  return fresh;
}
