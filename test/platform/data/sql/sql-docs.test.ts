import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { functionNames } from '../../../../src/platform/data/sql/expression/functions.js';
import { SqlProblem } from '../../../../src/platform/data/sql/sql-problem.js';
import { read } from './expression/reading.js';
import { openShop, type SqlShop } from './sql-fixture.js';

const text = readFileSync(new URL('../../../../docs/sql.md', import.meta.url), 'utf8');

/** Returns the section below a heading. */
function section(title: string): string {
  return text.split(/^## /m).find(one => one.startsWith(`${title}\n`)) ?? '';
}

/** Returns the rows of the last table of a section. */
function rowsOf(title: string): string[][] {
  const [, last = ''] = section(title).split('| from | to |');
  return [...last.matchAll(/^\| (\w+) \| ([\w ]+) \|$/gm)].map(([, from = '', to = '']) => [from, ...to.split(' ')]);
}

/** Returns the lines of all code blocks with an info string. */
function statements(kind: string): string[] {
  return [...text.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)]
    .filter(([, own]) => own === kind)
    .flatMap(([, , lines = '']) => lines.trim().split('\n'));
}

/** Columns of each type. */
const columns: Readonly<Record<string, string>> = {
  integer: 'i',
  bigint: 'b',
  numeric: 'n',
  double: 'd',
  text: 's',
  boolean: 'f',
  date: 'dt',
  timestamp: 'ts',
};

function isCast(from: string, to: string): boolean {
  try {
    read(`CAST(${columns[from]} AS ${to === 'double' ? 'double precision' : to})`);
    return true;
  } catch (error) {
    if (error instanceof SqlProblem) return false;
    throw error;
  }
}

describe('docs/sql.md', () => {
  let shop: SqlShop;

  beforeAll(async () => {
    shop = await openShop();
  });

  it('lists all functions and no others', () => {
    const [, table = ''] = section('Functions').split('| group | functions |');
    const names = table.split('Special syntax')[0]?.match(/(?<=`)\w+(?=`)/g) ?? [];
    expect(names.toSorted()).toEqual([...functionNames].sort());
  });

  it('lists all casts and no others', () => {
    const types = Object.keys(columns);
    const casts = types.map(from => [from, ...types.filter(to => to !== from && isCast(from, to)).sort()]);
    expect(rowsOf('Types').map(([from = '', ...to]) => [from, ...to.sort()])).toEqual(casts);
  });

  it.each(statements('sql'))('runs: %s', async statement => {
    await expect(shop.rows(statement)).resolves.toBeInstanceOf(Array);
  });

  it.each(statements('sql rejected'))('rejects: %s', async statement => {
    expect(await shop.refusal(statement)).not.toBe('not rejected');
  });
});
