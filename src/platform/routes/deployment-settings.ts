import type { Deployment, DeploymentSettings, updateDeployment } from '../../contract/deployments.js';
import type { JsonObject } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';
import { given, merged } from '../merge.js';
import type { Call } from '../mount.js';
import type { DeploymentChange, StoredDeployment } from '../store/deployments.js';

type Changes = Call<typeof updateDeployment>['body'];

/** Most characters of the settings of a deployment. */
const maxCharacters = 64_000;

/** What holds where nothing was set. */
const defaults = {
  cloudProvider: 'platformcloud',
  deployBranchMergeAllowed: true,
  deployBranchName: 'main',
  deployBranchReadOnly: false,
  deployProjectRoot: '/',
  isManaged: false,
  isSqlEnabled: true,
  isSupportPreAggregations: false,
  region: 'local',
  releaseChannel: 'latest',
  template: 'single',
  templateVariables: {},
} as const;

/** The settings of a deployment: what was set, defaults for the rest. */
export function settingsOf({ settings }: StoredDeployment, deployment: Deployment): DeploymentSettings {
  return { ...defaults, ...settings, ...deployment };
}

/**
 * A deployment with changes of its settings.
 * @throws PlatformError 400 that names the field
 */
export function changeSettings(
  stored: StoredDeployment,
  { name, templateVariables, releaseChannelVersion, ...changes }: Changes,
): DeploymentChange {
  if (releaseChannelVersion != null) {
    const message = 'is not listed for the channel: the platform runs the version that is installed';
    throw new PlatformError(400, `body.releaseChannelVersion: ${message}`);
  }
  const settings = merged(stored.settings, { ...changes, templateVariables: variablesOf(stored, templateVariables) });
  const size = JSON.stringify(settings).length;
  if (size > maxCharacters) {
    throw new PlatformError(400, `body: the settings take ${size} characters with it, and at most ${maxCharacters}`);
  }
  return { name: name ?? stored.name, settings };
}

function variablesOf(
  { settings }: StoredDeployment,
  changes: JsonObject | null | undefined,
): JsonObject | null | undefined {
  return changes == null ? changes : merged(given(Object(settings.templateVariables)), changes);
}
