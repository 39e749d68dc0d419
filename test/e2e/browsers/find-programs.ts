import { readdirSync } from 'node:fs';
import { canInstallPackages, installPackages, isExecutable } from '../../browser.js';
import type { WebKitPrograms } from './webkit.js';

/** Browser programs of the smoke suite. */
export interface BrowserPrograms {
  readonly firefox: string;
  readonly webkit: WebKitPrograms;
}

const packages = ['firefox-esr', 'webkit2gtk-driver', 'xvfb'];

/**
 * Finds Debian's Firefox and WebKitGTK; installs them on Debian as root if they are missing.
 * @returns the programs, or the reason why they are missing.
 */
export function findPrograms(): BrowserPrograms | string {
  const found = installed();
  if (found) return found;
  const hint = `install ${packages.join(', ')}`;
  if (!canInstallPackages()) return `Firefox and WebKitGTK are not installed: on Debian, ${hint}.`;
  console.log(`Firefox or WebKitGTK not found: installing ${packages.join(', ')} with apt-get.`);
  try {
    installPackages(...packages);
  } catch {
    return `apt-get could not ${hint}.`;
  }
  return installed() ?? `apt-get installed ${packages.join(', ')}, but their programs were not found.`;
}

function installed(): BrowserPrograms | null {
  const firefox = ['/usr/bin/firefox-esr'].find(isExecutable);
  const driver = ['/usr/bin/WebKitWebDriver'].find(isExecutable);
  const display = ['/usr/bin/Xvfb'].find(isExecutable);
  const browser = readdirSync('/usr/lib')
    .map(folder => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`)
    .find(isExecutable);
  return firefox && driver && display && browser ? { firefox, webkit: { driver, browser, display } } : null;
}
