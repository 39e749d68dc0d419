import type { Query } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import type { EngineCell } from '../engines/engine.js';

/** The columns of a response, in the order of `members`. All columns have the same length. */
export interface Table {
  readonly members: readonly string[];
  readonly columns: readonly (readonly EngineCell[])[];
}

/**
 * Approximate fragment length in characters. Small relative to a result, but large enough to make the cost per fragment
 * negligible.
 */
const fragmentSize = 64 * 1024;
/**
 * Maximum number of characters of member names in one response, because the default format repeats them in every row.
 */
const maxNameCharacters = 32 * 1024 * 1024;
/** Matches text that requires no escaping in JSON. */
const plain = /^[ !#-[\]-~]*$/;

/**
 * Writes rows as JSON fragments in the requested layout (domain.md 3).
 * @throws PlatformError 400 before the first fragment if the response would be too large in that layout.
 */
export function tableJson(layout: Query['responseFormat'], table: Table): Iterable<string> {
  switch (layout) {
    case 'columnar':
      return columnarJson(table);
    case 'compact':
      return compactJson(table);
    default:
      if (rowsIn(table) * table.members.join('').length > maxNameCharacters) {
        throw new PlatformError(
          400,
          'The result is too large: set a smaller limit, or use responseFormat "columnar", which names each member once.',
        );
      }
      return recordsJson(table);
  }
}

/** Returns the number of rows of a table. */
export function rowsIn({ columns }: Table): number {
  return columns[0]?.length ?? 0;
}

function* columnarJson({ members, columns }: Table): Generator<string> {
  yield `{"members":${JSON.stringify(members)},"columns":[`;
  for (const [index, column] of columns.entries()) {
    yield index === 0 ? '[' : ',[';
    for (let start = 0; start < column.length; start += 4096) {
      const cells = JSON.stringify(column.slice(start, start + 4096));
      yield (start === 0 ? '' : ',') + cells.slice(1, -1);
    }
    yield ']';
  }
  yield ']}';
}

function* compactJson({ members, columns }: Table): Generator<string> {
  yield `{"members":${JSON.stringify(members)},"dataset":[`;
  const before = members.map((_, index) => (index === 0 ? '[' : ','));
  yield* rowsJson(columns, before, ']');
  yield ']}';
}

function* recordsJson({ members, columns }: Table): Generator<string> {
  yield '[';
  const before = members.map((member, index) => `${index === 0 ? '{' : ','}${JSON.stringify(member)}:`);
  yield* rowsJson(columns, before, '}');
  yield ']';
}

/** @param before - the text to write before the cell of each column. */
function* rowsJson(columns: Table['columns'], before: readonly string[], after: string): Generator<string> {
  const rows = columns[0]?.length ?? 0;
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    if (row > 0) text += ',';
    for (let index = 0; index < columns.length; index += 1) text += before[index] + cellJson(columns[index]?.[row]);
    text += after;
    if (text.length >= fragmentSize) {
      yield text;
      text = '';
    }
  }
  yield text;
}

function cellJson(cell: EngineCell | undefined): string {
  if (typeof cell === 'string') return plain.test(cell) ? `"${cell}"` : JSON.stringify(cell);
  return cell === null || cell === undefined ? 'null' : String(cell);
}
