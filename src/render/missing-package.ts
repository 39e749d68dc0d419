import { readFileSync } from 'node:fs';

const missingModule = /^Cannot find (?:package|module) '([^']+)'/;
const packageName = /^(?:@[^/]+\/)?[^/]+/;

/**
 * Returns the message for an import that failed because a package of the platform is not installed. These packages are
 * optional peer dependencies, so that web pages do not install them. Returns `null` for any other error.
 */
export function explainMissingPackage(error: unknown, purpose = 'The platform'): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') return null;
  const module = missingModule.exec(error.message)?.[1];
  if (module === undefined || module.startsWith('/')) return null;
  const name = packageName.exec(module)?.[0] ?? module;
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return `${purpose} needs the package ${name}, which is not installed. Run: npm install pa-embed-platform@${version}`;
}

/** Loads a package of the renderer. If it is not installed, the error states how to install it. */
export async function loadPackage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const message = explainMissingPackage(error, 'The renderer');
    throw message === null ? error : new Error(message, { cause: error });
  }
}
