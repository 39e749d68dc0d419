import type { SubLink } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { SelectStatement, SubSelect } from '../tree.js';
import { commonType } from './common-type.js';
import { converted } from './conversion.js';
import { present, type Reader, wordOf } from './reader.js';

/** Reads a select that is a value: scalar, EXISTS, IN. */
export function readSubSelect(link: SubLink, reader: Reader): SubSelect {
  const at = link.location;
  switch (link.subLinkType) {
    case 'EXPR_SUBLINK': {
      const select = selectOf(link, reader);
      return { kind: 'sub-select', type: onlyColumn(select, at), form: 'scalar', operand: null, select };
    }
    case 'EXISTS_SUBLINK':
      return {
        kind: 'sub-select',
        type: SqlType.boolean,
        form: 'exists',
        operand: null,
        select: selectOf(link, reader),
      };
    case 'ANY_SUBLINK':
      return readIn(link, reader);
    default:
      throw new SqlProblem('A select can stand here in parentheses, after IN or after EXISTS', at);
  }
}

/** `x IN (select …)`, and `x = ANY (select …)`, which is the same. */
function readIn(link: SubLink, reader: Reader): SubSelect {
  const at = link.location;
  if (link.operName && wordOf(link.operName) !== '=')
    throw new SqlProblem('ANY is supported after = only: use EXISTS', at);
  const operand = reader.read(present(link.testexpr));
  const select = selectOf(link, reader);
  const type = commonType([operand.type, onlyColumn(select, at)], at);
  return { kind: 'sub-select', type: SqlType.boolean, form: 'in', operand: converted(operand, type, at), select };
}

function selectOf({ subselect, location: at }: SubLink, { scope }: Reader): SelectStatement {
  if (!subselect || !('SelectStmt' in subselect)) throw new SqlProblem('Only a SELECT can stand in parentheses', at);
  return scope.statement(subselect.SelectStmt, at);
}

function onlyColumn({ columns }: SelectStatement, at: number | undefined): SqlType {
  const [column, ...others] = columns;
  if (!column || others.length > 0) throw new SqlProblem('The select in parentheses has to have one column', at);
  return column.type;
}
