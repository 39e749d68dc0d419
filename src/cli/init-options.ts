import { parseFlags, UsageError } from './command.js';

/** Options of `pa-platform init`. */
export interface InitOptions {
  readonly sourcesDirectory: string;
  /** Folder in which `model` and `content` are created. */
  readonly outputDirectory: string;
  /** Name of the column that contains the tenant of a row; `null` if it is named `tenant`, `tenant_id` or similar. */
  readonly tenantColumn: string | null;
  /**
   * Whether to grant all users all rows of the tables without a tenant column. By default, no user sees these tables.
   */
  readonly allowAll: boolean;
}

/** Text of `pa-platform init --help`. */
export const initHelp = `Writes a model and a first dashboard for a folder of data. Never overwrites files.

  pa-platform init --sources DIR [options]

  --sources DIR  folder of the data: Parquet, CSV and JSON files; reads all files
  --output DIR   folder in which the files are created (.)
  --tenant NAME  column that contains the tenant of a row (tenant, tenant_id, tenant_name): users see the rows of their
                 tenant
  --allow-all    all users see all rows of tables without such a column; by default, no user sees these tables
  --help         this text

Files
  model/<table>.yml         a cube for each table: dimensions, measures, joins, and an access policy to review
  content/reports/*.yml     reports of the first dashboard
  content/workbooks/*.yml   the first dashboard, for "pa-platform apply"`;

const flags = {
  sources: { type: 'string' },
  output: { type: 'string', default: '.' },
  tenant: { type: 'string' },
  'allow-all': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Parses the arguments after `init`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readInitOptions(args: readonly string[]): InitOptions | null {
  const { sources, output, tenant, 'allow-all': allowAll, help } = parseFlags('init', args, flags);
  if (help) return null;
  if (sources === undefined)
    throw new UsageError(
      '--sources is required. Set it to the folder that contains the data. See pa-platform init --help.',
    );
  return { sourcesDirectory: sources, outputDirectory: output, tenantColumn: tenant ?? null, allowAll };
}
