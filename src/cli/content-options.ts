import { parseFlags, UsageError } from './command.js';
import { readTarget, type TargetOptions, targetFlags, targetHelp } from './target-options.js';

/** What `pa-platform apply` was asked for. */
export interface ApplyOptions {
  readonly directory: string;
  readonly target: TargetOptions;
  /** Whether it tells what would change, and changes nothing. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Text of `pa-platform apply --help`. */
export const applyHelp = `Makes a deployment hold what the files of a folder say: dashboards as code. Applied again, it changes nothing.

  pa-platform apply DIR [options]

${targetHelp}
  --dry-run        says what would change, and changes nothing
  --json           prints one JSON object: {"objects": [{"kind", "name", "action", "differences"}], "dashboards": {slug: publicId}},
                   or {"problems": [{"file", "line", "message"}]}
  --help           this text

The folder, each file in YAML or JSON; what a file leaves out, and what no file names, stays as it is
  folders.yml               folders: a list of {name, embedAccess: {allEmbedUsers, tenants}, folders}
  reports/<publicId>.yml    name, title, folder (list of names), workbook (slug), source, query or sqlQuery, pivotItems, meta
  workbooks/<slug>.yml      name, folder, meta, dashboard (its draft), publish: true or {title, description, dashboard},
                            embedAccess: {allowEmbed, allEmbedUsers, tenants: list of all that may}
A CHART widget names its report by publicId: config: {report: FlightsByDay}.
Problems are lines "file:line: what to do" on stderr, and nothing is sent while there are any; exit code 1.

Environment
  PA_ADMIN_KEY     API key of an admin`;

const applyFlags = {
  ...targetFlags,
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments that follow `apply`; `null` asks for the help text.
 * @throws UsageError
 */
export function readApplyOptions(args: readonly string[]): ApplyOptions | null {
  const { directory, rest } = takeDirectory(args);
  const { help, json, 'dry-run': dryRun, ...target } = parseFlags('apply', rest, applyFlags);
  if (help) return null;
  if (directory === null) throw new UsageError('Name the folder to apply: pa-platform apply DIR (see --help).');
  return { directory, target: readTarget(target), dryRun, json };
}

/** What `pa-platform export` was asked for. */
export interface ExportOptions {
  readonly directory: string;
  readonly target: TargetOptions;
}

/** Text of `pa-platform export --help`. */
export const exportHelp = `Writes what a deployment holds into a folder, as the files that "pa-platform apply" reads, in their canonical form.

  pa-platform export DIR [options]

${targetHelp}
  --help           this text

Reports without a publicId and workbooks without a slug of their own are left out, and counted on stderr; so is what users of embed
tenants made, and what lies in folders of one name. Files of the folder that stand for nothing in the deployment are named there,
and left as they are.

Environment
  PA_ADMIN_KEY     API key of an admin`;

const exportFlags = { ...targetFlags, help: { type: 'boolean', default: false } } as const;

/**
 * Reads the arguments that follow `export`; `null` asks for the help text.
 * @throws UsageError
 */
export function readExportOptions(args: readonly string[]): ExportOptions | null {
  const { directory, rest } = takeDirectory(args);
  const { help, ...target } = parseFlags('export', rest, exportFlags);
  if (help) return null;
  if (directory === null) throw new UsageError('Name the folder to write: pa-platform export DIR (see --help).');
  return { directory, target: readTarget(target) };
}

/** The folder stands first, before the flags. */
function takeDirectory(args: readonly string[]): {
  readonly directory: string | null;
  readonly rest: readonly string[];
} {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? { directory: null, rest: args } : { directory: first, rest };
}
