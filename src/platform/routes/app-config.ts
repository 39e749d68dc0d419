import type { Hono } from 'hono';
import { getAppConfig, updateAppConfig } from '../../contract/app-config.js';
import type { JsonObject } from '../../contract/wire.js';
import { allowsOnDeployment } from '../access/rights.js';
import { findTimezone } from '../data/model/dates.js';
import { PlatformError } from '../errors.js';
import { merged } from '../merge.js';
import { accountConfig, changeAccountConfig } from '../store/accounts.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';
import { write } from './write.js';

/** Every page and many a request reads the configuration: it stays small. */
const maxCharacters = 64_000;

/** Configuration of the account's applications (spec 2.8, 4.5). */
export function mountAppConfig(app: Hono, deps: PlatformRoutesDeps): void {
  serve(app, getAppConfig, deps, async ({ principal }) => {
    const config = await accountConfig(deps.db);
    if (principal.kind !== 'embed') return config;
    // As for a dashboard: what holds for this session (spec 2.2).
    const mayDownload = allowsOnDeployment(principal.rights, 'DownloadData', principal.deploymentId);
    return { ...config, restrictDataDownload: config.restrictDataDownload || !mayDownload };
  });

  write(app, updateAppConfig, deps, async ({ body }, tx) => {
    checkTimezone('embedding', body.embedding?.timezone);
    checkTimezone('timezoneSettings', body.timezoneSettings?.timezone);
    return changeAccountConfig(tx, stored => {
      const config = merged(stored, body);
      checkSize(config);
      return config;
    });
  });
}

function checkTimezone(field: string, name: string | null | undefined): void {
  if (name == null || findTimezone(name)) return;
  throw new PlatformError(400, `body.${field}.timezone: must be the name of a time zone, like Europe/Berlin`);
}

function checkSize(config: JsonObject): void {
  const size = JSON.stringify(config).length;
  if (size <= maxCharacters) return;
  throw new PlatformError(
    400,
    `body: the configuration takes ${size} characters with it, and at most ${maxCharacters}`,
  );
}
