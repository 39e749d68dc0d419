import { parseFlags, UsageError } from './command.js';
import { readTarget, type TargetOptions, targetFlags, targetHelp } from './target-options.js';

/** Options of `pa-platform apply`. */
export interface ApplyOptions {
  readonly directory: string;
  readonly target: TargetOptions;
  /** Whether to only report what would change. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Text of `pa-platform apply --help`. */
export const applyHelp = `Creates and updates the objects of a deployment from the files of a folder: dashboards as code. Idempotent.

  pa-platform apply DIR [options]

${targetHelp}
  --dry-run        prints what would change without changing it
  --json           prints one JSON object: {"objects": [{"kind", "name", "action", "differences"}], "dashboards": {slug: publicId}},
                   or {"problems": [{"file", "line", "message"}]}
  --help           this text

Files are YAML or JSON. Fields that a file omits, and objects without a file, are not changed.
  folders.yml               folders: a list of {name, embedAccess: {allEmbedUsers, tenants}, folders}
  reports/<publicId>.yml    name, title, folder (list of names), workbook (slug), source, query or sqlQuery, pivotItems, meta
  workbooks/<slug>.yml      name, folder, meta, dashboard (its draft), publish: true or {title, description, dashboard},
                            embedAccess: {allowEmbed, allEmbedUsers, tenants: complete list of tenants with access}
CHART widgets refer to reports by publicId: config: {report: FlightsByDay}.
Prints problems to stderr as "file:line: message" and exits with 1 before anything is sent.

Environment
  PA_ADMIN_KEY     API key of an admin`;

const applyFlags = {
  ...targetFlags,
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Parses the arguments after `apply`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readApplyOptions(args: readonly string[]): ApplyOptions | null {
  const { directory, rest } = takeDirectory(args);
  const { help, json, 'dry-run': dryRun, ...target } = parseFlags('apply', rest, applyFlags);
  if (help) return null;
  if (directory === null)
    throw new UsageError('Missing folder. Usage: pa-platform apply DIR (see pa-platform apply --help)');
  return { directory, target: readTarget(target), dryRun, json };
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

Skips reports without a publicId, workbooks without a slug, content that users of embed tenants created, and content in
folders whose names are not unique. Prints the number of skipped reports and workbooks to stderr. Never deletes files: lists
the ones that match nothing in the deployment.

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
