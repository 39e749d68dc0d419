import { stringify } from 'yaml';
import type { Cube, Dimension } from './describe-cubes.js';
import { type Column, quoted } from './read-tables.js';

/** Returns the model file of a cube. */
export function printCube(cube: Cube): string {
  const { name, table, dimensions, measures, joins } = cube;
  const lines = ['cubes:', `  - name: ${scalar(name)}`, `    sql_table: ${scalar(table)}`];
  const list = (key: string, entries: readonly string[]) => {
    if (entries.length > 0) lines.push(`    ${key}:`, ...entries.map(entry => `      - { ${entry} }`));
  };
  list(
    'joins',
    joins.map(({ cube: other, column, key, relationship }) => {
      const condition = JSON.stringify(`${sqlOf(column)} = {${other}.${key}}`);
      return `name: ${scalar(other)}, relationship: ${relationship}, sql: ${condition}`;
    }),
  );
  list(
    'dimensions',
    dimensions.map(dimension => printDimension(dimension, { isTenant: dimension === cube.tenant })),
  );
  list(
    'measures',
    measures.map(({ name: measure, type, column }) => {
      const sql = column === null ? '' : `, sql: ${JSON.stringify(sqlOf(column))}`;
      return `name: ${scalar(measure)}${sql}, type: ${type}`;
    }),
  );
  return `${[...lines, ...policyLines(cube)].join('\n')}\n`;
}

function printDimension({ name, column, isKey }: Dimension, { isTenant }: { readonly isTenant: boolean }): string {
  const title = name === column.name ? '' : `, title: ${JSON.stringify(column.name)}`;
  const flags = `${isKey ? ', primary_key: true' : ''}${isTenant ? ', public: false' : ''}`;
  return `name: ${scalar(name)}, sql: ${JSON.stringify(sqlOf(column))}, type: ${column.type}${title}${flags}`;
}

function sqlOf({ name }: Column): string {
  return `{CUBE}.${/^[a-z_][a-z0-9_]*$/.test(name) ? name : quoted(name)}`;
}

/** A name in YAML. Some names, such as `null`, need quotes. */
function scalar(text: string): string {
  return stringify(text).trim();
}

function policyLines({ tenant }: Cube): string[] {
  if (tenant === null) {
    return [
      '    # Review: with allow_all, all users see all rows. To limit the rows of a viewer, replace row_level by a filter',
      '    # on a dimension, with a value of the security context of the embed session:',
      '    #   row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }] }',
      '    access_policy:',
      '      - group: "*"',
      '        row_level: { allow_all: true }',
    ];
  }
  return [
    '    # Review: users see the rows of the tenant in the security context of their embed session.',
    '    access_policy:',
    '      - group: "*"',
    '        row_level:',
    '          filters:',
    `            - { member: ${scalar(tenant.name)}, operator: equals, values: ["{ securityContext.tenant }"] }`,
  ];
}
