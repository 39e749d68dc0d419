import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openEngine } from '../platform/data/engines/open-engine.js';
import { describeCubes } from '../platform/data/generate/describe-cubes.js';
import { printCube } from '../platform/data/generate/print-cube.js';
import { readTables } from '../platform/data/generate/read-tables.js';
import { type CommandContext, ExitCode, plural } from './command.js';
import { describeDashboard } from './init/describe-dashboard.js';
import type { InitOptions } from './init-options.js';

/**
 * Writes a model and a first dashboard for a folder of data.
 * @throws Error if the data cannot be read or a file exists. Nothing is written then.
 */
export async function init(
  { sourcesDirectory, outputDirectory, tenantColumn, allowAll }: InitOptions,
  { print, note }: Pick<CommandContext, 'print' | 'note'>,
): Promise<ExitCode> {
  let problems = 0;
  const onProblem = (message: string): void => {
    problems += 1;
    note(message);
  };
  const engine = await openEngine({ kind: 'files', directory: sourcesDirectory }, { onProblem });
  try {
    const tables = await readTables(engine);
    if (tables.length === 0) {
      throw new Error(
        problems > 0
          ? `All data files in the sources folder ${sourcesDirectory} were skipped for the reasons above.`
          : `The sources folder ${sourcesDirectory} has no data. Add Parquet, CSV or JSON files.`,
      );
    }
    const cubes = await describeCubes(tables, engine, tenantColumn);
    const files = new Map(cubes.map(cube => [`model/${cube.table}.yml`, printCube(cube, { allowAll })]));
    for (const [path, text] of describeDashboard(cubes)) files.set(`content/${path}`, text);
    await requireNoFiles(outputDirectory, [...files.keys()]);
    for (const [path, text] of files) {
      await mkdir(dirname(join(outputDirectory, path)), { recursive: true });
      await writeFile(join(outputDirectory, path), text, { flag: 'wx' });
      note(`${join(outputDirectory, path)}: written`);
    }
    print(`ok: ${plural(files.size, 'file')}`);
    const open = cubes.filter(({ tenant }) => tenant === null);
    for (const { table } of open) note(`warning: ${accessWarning(table, { allowAll })}`);
    if (open.length > 0 && !allowAll)
      note('To regenerate the files, remove them and set --tenant to the tenant column, or --allow-all.');
    const [model, content] = ['model', 'content'].map(name => join(outputDirectory, name));
    note(`Next: review each access_policy in ${model}, then start the platform and create the dashboard:`);
    const origin = '--allow-origin http://localhost:3000';
    note(`  npx pa-platform serve --data data --model ${model} --sources ${sourcesDirectory} ${origin}`);
    note(`  npx pa-platform apply ${content} --data data`);
    note('Set --allow-origin to the origin of the page that shows the dashboard.');
    return ExitCode.done;
  } finally {
    await engine.close();
  }
}

function accessWarning(table: string, { allowAll }: Pick<InitOptions, 'allowAll'>): string {
  return allowAll
    ? `all users see all rows of ${table}: review access_policy in model/${table}.yml`
    : `no user sees ${table}, because no column names the tenant: set access_policy in model/${table}.yml`;
}

async function requireNoFiles(directory: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const exists = await access(join(directory, path)).then(
      () => true,
      () => false,
    );
    if (exists)
      throw new Error(
        `${join(directory, path)} already exists; nothing was written. Remove it, or set --output to another folder.`,
      );
  }
}
