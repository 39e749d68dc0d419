import { stringify } from 'yaml';
import type { Cube, Dimension } from './describe-cubes.js';
import { type Column, quoteIdentifier } from './read-tables.js';

/** Group of the policy of a table without a tenant column. No user is in it, so access is denied. */
const placeholderGroup = 'replace_with_a_group';

/**
 * Returns the model file of a cube.
 * @param access - `allowAll` grants all users all rows of a table without a tenant column.
 */
export function printCube(cube: Cube, access: { readonly allowAll: boolean }): string {
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
    measures.map(({ name: measure, type, column, title }) => {
      const sql = column === null ? '' : `, sql: ${JSON.stringify(sqlOf(column))}`;
      return `name: ${scalar(measure)}${sql}, type: ${type}${title === null ? '' : `, title: ${JSON.stringify(title)}`}`;
    }),
  );
  return `${[...lines, ...policyLines(cube, access)].join('\n')}\n`;
}

function printDimension(
  { name, column, isKey, title }: Dimension,
  { isTenant }: { readonly isTenant: boolean },
): string {
  const titled = title === null ? '' : `, title: ${JSON.stringify(title)}`;
  const flags = `${isKey ? ', primary_key: true' : ''}${isTenant ? ', public: false' : ''}`;
  return `name: ${scalar(name)}, sql: ${JSON.stringify(sqlOf(column))}, type: ${column.type}${titled}${flags}`;
}

function sqlOf({ name, conversion }: Column): string {
  const ref = `{CUBE}.${/^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name)}`;
  return conversion?.sql(ref) ?? ref;
}

/** Returns a name in YAML. Some names, such as `null`, need quotes. */
function scalar(text: string): string {
  return stringify(text).trim();
}

function policyLines({ tenant }: Cube, { allowAll }: { readonly allowAll: boolean }): string[] {
  if (tenant !== null) {
    return [
      '    # Review: users see the rows of the tenant in the security context of their embed session.',
      '    access_policy:',
      '      - group: "*"',
      '        row_level:',
      '          filters:',
      `            - { member: ${scalar(tenant.name)}, operator: equals, values: ["{ securityContext.tenant }"] }`,
    ];
  }
  const limits = [
    '    # To limit the rows of a user, replace row_level with a filter on a dimension of this cube, with a value of the',
    '    # security context of the embed session:',
    '    #   row_level: { filters: [{ member: region, operator: equals, values: ["{ securityContext.region }"] }] }',
  ];
  if (allowAll) {
    return [
      '    # Review: all users of all tenants see all rows.',
      ...limits,
      '    access_policy:',
      '      - group: "*"',
      '        row_level: { allow_all: true }',
    ];
  }
  return [
    '    # Review: no column names the tenant of a row, so no user sees this cube. Replace the group with the group of the',
    '    # users who may see all rows of all tenants ("*" is all users).',
    ...limits,
    '    access_policy:',
    `      - group: ${placeholderGroup}`,
    '        row_level: { allow_all: true }',
  ];
}
