import type { DashboardConfigInput } from '../../../contract/dashboard-input.js';
import type { Principal } from '../../auth/principal.js';
import { PlatformError } from '../../errors.js';

/** Valid names of files. Apps import them as `app/NAME`. */
const fileName = /^[\w-]+(?:[./][\w-]+)*$/;
/** Names of files that can run as modules. */
const moduleName = /\.m?js$/;

/**
 * Checks the source of a dashboard of kind APP before it is published. Apps are code that runs in the pages of all
 * viewers, so embed sessions cannot publish them. The platform fetches nothing for an app, so it cannot have
 * dependencies.
 * @throws PlatformError 400, 403
 */
export function checkApp({ kind, app }: DashboardConfigInput, principal: Principal): void {
  if (kind !== 'APP') return;
  if (principal.kind === 'embed') {
    throw new PlatformError(403, 'Only users of the account can publish dashboards of kind APP.');
  }
  const { html, files = {}, entry, manifest } = app ?? {};
  if (Object.keys(manifest?.dependencies ?? {}).length > 0) {
    throw refused('manifest.dependencies', 'must be empty, because no packages are fetched; bundle them into files');
  }
  const invalid = Object.keys(files ?? {}).find(name => !fileName.test(name));
  if (invalid !== undefined) throw refused('files', `the name ${JSON.stringify(invalid)} is not a relative path`);
  if (entry != null && !(moduleName.test(entry) && Object.hasOwn(files ?? {}, entry))) {
    throw refused('entry', 'must be the name of a JavaScript file in files');
  }
  if (!html && entry == null) throw refused('html', 'is required, unless entry is set');
}

function refused(field: string, problem: string): PlatformError {
  return new PlatformError(400, `config.app.${field}: ${problem}`);
}
