import { PlatformError } from '../../errors.js';
import type { GenerateOptions } from '../../http/route-deps.js';
import type { Engine } from '../engines/engine.js';
import { describeCubes } from './describe-cubes.js';
import { printCube } from './print-cube.js';
import { readTables } from './read-tables.js';

/**
 * Generates a model file for each table, by path.
 * @throws PlatformError 400 for an unknown table or column.
 */
export async function generateModel(
  engine: Pick<Engine, 'run' | 'tables'>,
  { tables: names, tenantColumn, allowAll }: GenerateOptions,
): Promise<ReadonlyMap<string, string>> {
  const unknown = names?.find(name => !engine.tables.includes(name));
  if (unknown !== undefined) throw new PlatformError(400, `body.tables: the table ${unknown} does not exist`);
  const run: Engine['run'] = (sql, parameters) => engine.run(sql, parameters);
  const tables = await readTables({ run, tables: names ?? engine.tables });
  if (tables.length === 0) throw new PlatformError(400, 'body.tables: the deployment has no tables');
  const isTenant = ({ name }: { readonly name: string }) => name.toLowerCase() === tenantColumn?.toLowerCase();
  if (tenantColumn !== null && !tables.some(({ columns }) => columns.some(isTenant))) {
    throw new PlatformError(400, 'body.tenantColumn: no table has this column');
  }
  const cubes = await describeCubes(tables, engine, tenantColumn);
  return new Map(cubes.map(cube => [`model/${cube.table}.yml`, printCube(cube, { allowAll })]));
}
