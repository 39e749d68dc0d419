import { rm } from 'node:fs/promises';
import { type ImportedTable, importSource } from './import-source.js';
import type { InstanceLimits } from './instance-options.js';
import { ServingInstance, type ServingOptions } from './serving-instance.js';
import { digest, type Source } from './sources.js';

/** One state of the data, ready to be asked. */
export interface Generation {
  /** Stands for the content of all tables. */
  readonly version: string;
  readonly tables: readonly ImportedTable[];
  readonly instance: ServingInstance;
}

/**
 * Imports what is new and opens all of it; tables of `previous` whose file is gone are kept.
 * @throws SourcesError when a source can't be imported.
 */
export async function openGeneration(
  sources: readonly Source[],
  previous: readonly ImportedTable[],
  workDirectory: string,
  limits: InstanceLimits,
  options: ServingOptions = {},
): Promise<Generation> {
  const fresh = await importAll(sources, workDirectory, limits);
  const tables = [...fresh, ...withoutSource(previous, sources)];
  const instance = await ServingInstance.open(tables, limits, options).catch(async () => {
    // Another process may have removed an import that it found outdated, or a full disk have cut it short: once more, from the source.
    await Promise.all(fresh.map(({ file }) => rm(file, { force: true })));
    await importAll(sources, workDirectory, limits);
    return ServingInstance.open(tables, limits, options);
  });
  return { version: versionOf(tables), tables, instance };
}

/** The version that these sources will have once they are taken in beside what is served already. */
export function upcomingVersion(sources: readonly Source[], previous: readonly ImportedTable[]): string {
  return versionOf([...sources, ...withoutSource(previous, sources)]);
}

/** One after another: an import uses all threads already. */
async function importAll(sources: readonly Source[], workDirectory: string, limits: InstanceLimits) {
  const tables: ImportedTable[] = [];
  for (const source of sources) tables.push(await importSource(source, workDirectory, limits));
  return tables;
}

function withoutSource(tables: readonly ImportedTable[], sources: readonly Source[]): ImportedTable[] {
  return tables.filter(({ table }) => !sources.some(source => source.table === table));
}

function versionOf(tables: readonly { readonly table: string; readonly fingerprint: string }[]): string {
  return digest(tables.map(({ table, fingerprint }) => `${table} ${fingerprint}`).sort());
}
