import { parseFlags, UsageError } from './command.js';
import { readTarget, type TargetOptions, targetFlags, targetHelp } from './target-options.js';

/** Options of `pa-platform apply`. */
export interface ApplyOptions {
  readonly directory: string;
  readonly target: TargetOptions;
  /** Whether to only report what would change. */
  readonly dryRun: boolean;
  /** Whether to remove the objects that `apply` created and that have no file. */
  readonly prune: boolean;
  /** Whether to manage existing objects that match a file as if `apply` had created them. */
  readonly adopt: boolean;
  /** Whether to remove objects without a confirmation. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Text of `pa-platform apply --help`. */
export const applyHelp = `Creates and updates the objects of a deployment from the files of a folder: content as code. Idempotent.
All changes are one transaction: if one fails, nothing is changed.

  pa-platform apply DIR [options]

${targetHelp}
  --dry-run        prints what would change without changing it
  --prune          also removes the objects that apply created from this folder and that no longer have a file. Prints the plan
                   and requires a confirmation. Never removes what people created in the product.
  --yes            removes objects without a confirmation, for scripts
  --adopt          treats existing objects that have a file like objects that apply created: --prune can remove them later
  --json           prints one JSON object: {"objects": [{"kind", "name", "action", "differences"}], "dashboards": {slug: publicId},
                   "retained": [{"kind", "name", "reason"}]}, or {"problems": [{"file", "line", "message"}]}
  --help           this text

Files are YAML or JSON. Fields that a file omits, and objects without a file, are not changed.
  folders.yml               folders: a list of {name, embedAccess: {allEmbedUsers, tenants}, folders}
  reports/<publicId>.yml    name, title, folder (list of names), workbook (slug), source, query or sqlQuery, pivotItems, meta
  workbooks/<slug>.yml      name, folder, meta, dashboard (its draft), publish: true or {title, description, dashboard},
                            embedAccess: {allowEmbed, allEmbedUsers, tenants: complete list of tenants with access}
  notifications/<name>.yml  dashboard (slug), schedule (cron expression), timezone, isEnabled, notificationEnabled,
                            notificationAiSummary, notificationFormat, alert, filters, memberSwitchers, timeGrains,
                            recipients: complete list of {type, email}, or other fields by type
  roles.yml                 roles: a list of {name, description, policies: complete list}
  groups.yml                groups: a list of {name, description, role (name)}
  variables.yml             variables: a list of names. The value of NAME is that of the environment variable PA_VAR_NAME.
  content.yml               owner: name of this folder, if several folders are applied to the deployment
CHART widgets refer to reports by publicId: config: {report: FlightsByDay}.
Prints problems to stderr as "file:line: message" and exits with 1 before anything is sent.

Environment
  PA_ADMIN_KEY     API key of an admin
  PA_VAR_NAME      value of the variable NAME, or URL of the webhook \${NAME}`;

const applyFlags = {
  ...targetFlags,
  'dry-run': { type: 'boolean', default: false },
  prune: { type: 'boolean', default: false },
  adopt: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Parses the arguments after `apply`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readApplyOptions(args: readonly string[]): ApplyOptions | null {
  const { directory, rest } = takeDirectory(args);
  const { help, json, 'dry-run': dryRun, prune, adopt, yes, ...target } = parseFlags('apply', rest, applyFlags);
  if (help) return null;
  if (directory === null)
    throw new UsageError('Missing folder. Usage: pa-platform apply DIR (see pa-platform apply --help)');
  return { directory, target: readTarget(target), dryRun, prune, adopt, yes, json };
}

/** Options of `pa-platform export`. */
export interface ExportOptions {
  readonly directory: string;
  readonly target: TargetOptions;
}

/** Text of `pa-platform export --help`. */
export const exportHelp = `Writes the content of a deployment to a folder, in the file format that "pa-platform apply" reads.

  pa-platform export DIR [options]

${targetHelp}
  --help           this text

Skips reports without a publicId, workbooks without a slug, notifications without a name, content that users of embed tenants
created, and content in folders whose names are not unique. Prints the number of skipped objects to stderr. Never deletes
files: lists the ones that match nothing in the deployment. Files contain no secrets: variables are exported by name, and URLs
of webhooks as references.

Environment
  PA_ADMIN_KEY     API key of an admin`;

const exportFlags = { ...targetFlags, help: { type: 'boolean', default: false } } as const;

/**
 * Parses the arguments after `export`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readExportOptions(args: readonly string[]): ExportOptions | null {
  const { directory, rest } = takeDirectory(args);
  const { help, ...target } = parseFlags('export', rest, exportFlags);
  if (help) return null;
  if (directory === null)
    throw new UsageError('Missing folder. Usage: pa-platform export DIR (see pa-platform export --help)');
  return { directory, target: readTarget(target) };
}

/** Separates the folder from the flags that follow it. */
function takeDirectory(args: readonly string[]): {
  readonly directory: string | null;
  readonly rest: readonly string[];
} {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? { directory: null, rest: args } : { directory: first, rest };
}
