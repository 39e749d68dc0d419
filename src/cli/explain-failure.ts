import { readFileSync } from 'node:fs';

const missingPackage = /^Cannot find (?:package|module) '([^']+)'/;

/** Why a command failed, as it may stand on a terminal or in a log. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed.';
  const name =
    'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' ? missingPackage.exec(error.message)?.[1] : undefined;
  if (name !== undefined && !name.startsWith('/')) return explainMissing(name);
  // A database puts statements and the values of rows into its messages.
  if ('query' in error || 'severity' in error) return `The database refused a statement (${codeOf(error)}).`;
  return error.message;
}

function codeOf(error: Error): string {
  const { code } = Object(error.cause ?? error);
  return typeof code === 'string' ? code : 'no code';
}

/** The platform's packages are optional peers, so that a web page doesn't pull them in; here they are needed, all of them. */
function explainMissing(name: string): string {
  const manifest: { peerDependencies?: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const peers = Object.entries(manifest.peerDependencies ?? {}).map(([peer, version]) => `${peer}@${version}`);
  return `The package ${name} is missing, which the platform needs: npm install ${peers.join(' ')}`;
}
