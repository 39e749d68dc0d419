import { execSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

// Installs the packages of package-lock.json, like `npm ci`, which it uses. The lock file has no addresses, so that it
// works with every registry, but `npm ci` alone then reads the metadata of each package: half of its work. This adds the
// addresses in npm-shrinkwrap.json, which npm prefers to package-lock.json. npm checks the hashes in both cases.

const shrinkwrap = 'npm-shrinkwrap.json';
const install = () => spawnSync('npm', ['ci'], { stdio: 'inherit' }).status === 0;

/** Writes package-lock.json with the address of each package at the registry that npm uses. */
function writeShrinkwrap() {
  const registry = execSync('npm config get registry', { encoding: 'utf8' }).trim().replace(/\/?$/, '/');
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.integrity === undefined || entry.resolved !== undefined) continue;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    entry.resolved = `${registry}${name}/-/${name.slice(name.indexOf('/') + 1)}-${entry.version}.tgz`;
  }
  writeFileSync(shrinkwrap, JSON.stringify(lock));
}

try {
  writeShrinkwrap();
  // A registry may have other addresses.
  if (!install()) {
    rmSync(shrinkwrap);
    process.exitCode = install() ? 0 : 1;
  }
} finally {
  rmSync(shrinkwrap, { force: true });
}
