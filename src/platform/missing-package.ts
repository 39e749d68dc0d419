import { readFileSync } from 'node:fs';

const missingPackage = /^Cannot find (?:package|module) '([^']+)'/;

/**
 * Message for an import that failed because a package of the platform is not installed: they are optional peer
 * dependencies, so that web pages do not install them. Returns `null` for any other error.
 */
export function explainMissingPackage(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null;
  const name = missingPackage.exec(error.message)?.[1];
  if (name === undefined || name.startsWith('/')) return null;
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return `The platform needs the package ${name}, which is not installed. Run: npm install pa-embed-platform@${version}`;
}
