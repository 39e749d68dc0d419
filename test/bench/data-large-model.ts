import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const cubes = 100;
const views = 20;
const columns = ['origin', 'destination', 'delay', 'distance'] as const;

const list = (length: number, line: (index: number) => string): string =>
  Array.from({ length }, (_, i) => line(i)).join('\n');
const nameOf = (index: number): string => `cube_${index}`;

/** Returns a cube with ten dimensions, five measures, two joins and a policy. */
function cube(index: number): string {
  const column = (of: number): string => columns[of % columns.length] ?? 'origin';
  const joined = [index + 1, index + 2].filter(other => other < cubes);
  return `  - name: ${nameOf(index)}
    sql_table: flights
    joins:${joined.length === 0 ? ' []' : ''}
${joined
  .map(
    other => `      - name: ${nameOf(other)}
        relationship: many_to_one
        sql: "{CUBE}.date = {${nameOf(other)}}.date AND {CUBE}.origin = {${nameOf(other)}}.origin"`,
  )
  .join('\n')}
    dimensions:
      - { name: id, sql: "{CUBE}.date", type: time, primary_key: true, public: true }
      - { name: origin, sql: "{CUBE}.origin", type: string }
${list(8, i => `      - { name: dimension_${i}, sql: "{CUBE}.${column(i)}", type: ${i % 4 < 2 ? 'string' : 'number'} }`)}
    measures:
      - { name: count, type: count }
      - { name: total, sql: "{CUBE}.distance", type: sum }
      - { name: average, sql: "{CUBE}.delay", type: avg }
      - { name: largest, sql: "{CUBE}.delay", type: max }
      - { name: share, sql: "{total} / nullif({count}, 0)", type: number }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }`;
}

function view(index: number): string {
  return `  - name: view_${index}
    cubes:
${list(
  3,
  i => `      - join_path: ${nameOf(index * 4 + i)}
        includes: "*"
        prefix: true`,
)}
    access_policy:
      - group: "*"
        row_level: { allow_all: true }`;
}

/** Writes a model with 100 cubes and 20 views on the demo's flights. */
export async function writeLargeModel(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'cubes.yml'), `cubes:\n${list(cubes, cube)}\n`);
  await writeFile(join(directory, 'views.yml'), `views:\n${list(views, view)}\n`);
}

/** Returns the files of that model, one per cube: contents by path. */
export function largeModelFiles(): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: cubes }, (_, index) => [`model/cubes/${nameOf(index)}.yml`, `cubes:\n${cube(index)}\n`]),
  );
}

/** The first query of a user of that model. */
export const firstQuery = {
  measures: ['cube_50.count', 'cube_50.average'],
  dimensions: ['cube_50.dimension_1'],
  timeDimensions: [{ dimension: 'cube_50.id', dateRange: ['2001-02-01', '2001-02-28'] as [string, string] }],
  limit: 100,
};
