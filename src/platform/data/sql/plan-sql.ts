import type { SelectStmt } from 'libpg-query';
import type { SqlColumn, SqlPlan, Statement } from '../semantic-model.js';
import { columnOrigins } from './column-origin.js';
import { titled } from './column-title.js';
import { isOutput } from './expression/common-type.js';
import { memberNames } from './member-names.js';
import { type PrintOptions, printStatement } from './print-statement.js';
import { readStatement } from './read-statement.js';
import { checkRowWork } from './row-work.js';
import { type ReadQuery, readQuery } from './select/read-query.js';
import { withTypes } from './select/table-select.js';
import { placeOfColumn } from './select/targets.js';
import type { CubePlan, SqlModel } from './sql-model.js';
import { SqlProblem, toldOf } from './sql-problem.js';
import { SqlType } from './sql-type.js';
import type { CubeColumn, CubeQuery, SelectStatement } from './tree.js';

/**
 * Reads semantic SQL for a caller.
 * @throws PlatformError 400 that shows where, for what is invalid, unknown, hidden, or not to be had with Postgres' meaning.
 */
export function planSql(text: string, model: SqlModel): Promise<SqlPlan> {
  return told(text, async () => {
    const { select, statement: read, queries } = await understand(text, model);
    const statement = readable(read, select);
    const plans = new Map<CubeQuery, CubePlan>(queries.map(query => [query, model.planCube(query)]));
    const planOf = (query: CubeQuery) => {
      const plan = plans.get(query);
      if (plan === undefined) throw new Error('a statement asks of a cube what was not planned');
      return plan;
    };
    const origins = columnOrigins(read);
    return {
      key: JSON.stringify([statement, [...plans.values()].map(({ key }) => key), model.timezone.name]),
      columns: statement.columns.map(({ name, type }, index) => ({
        name,
        type,
        ...described(origins[index], model),
        ...titled(read, index, origins[index], model),
      })),
      statement: () => printed(statement, { dialect: model.dialect, planOf }),
    };
  });
}

/**
 * Reads text into a tree in which every name was looked up.
 * @throws SqlProblem for what can't be understood.
 */
export async function understand(text: string, model: SqlModel): Promise<ReadQuery & { readonly select: SelectStmt }> {
  const select = await readStatement(text);
  const types = await model.memberTypes(memberNames(select, model.access));
  const read = readQuery(select, model, types);
  checkRowWork(read.statement);
  return { select, ...read };
}

/** Does what may find a problem in a text, and tells of it as its caller is told. */
export async function told<T>(text: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof SqlProblem ? toldOf(error, text) : error;
  }
}

function printed(statement: SelectStatement, options: PrintOptions): Statement {
  try {
    return printStatement(statement, options);
  } catch (error) {
    throw error instanceof SqlProblem ? toldOf(error, '') : error;
  }
}

/** A statement whose columns can travel: what has no type of ours is text. */
function readable(statement: SelectStatement, select: SelectStmt): SelectStatement {
  const { columns } = statement;
  const place = columns.findIndex(({ type }) => !isOutput(type));
  if (place >= 0)
    throw new SqlProblem(
      `column ${place + 1} is an interval, which can not travel: write EXTRACT(EPOCH FROM …)`,
      placeOfColumn(select, place),
    );
  const types = columns.map(({ type }) => (type === SqlType.other ? SqlType.text : type));
  return withTypes(statement, types, () => 0);
}

type Described = Pick<SqlColumn, 'member' | 'format' | 'granularity'>;

function described(origin: CubeColumn | undefined, { access }: SqlModel): Described {
  if (origin === undefined || origin.kind === 'computed') return {};
  const { path } = origin;
  if (origin.kind === 'time') return { member: `${path}.${origin.granularity}`, granularity: origin.granularity };
  const member = access.members.get(origin.path);
  const format = member?.kind === 'segment' ? undefined : member?.format;
  return { member: path, ...(format && { format }) };
}
