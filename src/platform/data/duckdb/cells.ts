import type { DuckDBResult, DuckDBVector } from '@duckdb/node-api';
import { PlatformError } from '../../errors.js';
import type { EngineCell } from '../engine.js';
import { QueryProblem } from '../query-problem.js';
import { type CellFormat, cellFormat } from './cell-format.js';

/** Most characters that one result may hold: it is kept in memory, and once more as JSON on its way out. */
const maxResultCharacters = 16 * 1024 * 1024;

/**
 * Reads a result column by column.
 *
 * The result has to be a materialized one: a streamed result ends early, without an error, when the statement fails or is
 * interrupted half-way.
 * @throws PlatformError 400 when the result is too large.
 */
export async function readColumns(result: DuckDBResult): Promise<EngineCell[][]> {
  const columns = Array.from({ length: result.columnCount }, (_, index) => ({
    cells: [] as EngineCell[],
    format: cellFormat(result.columnTypeId(index)),
  }));
  let characters = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return columns.map(({ cells }) => cells);
    columns.forEach(({ cells, format }, index) => {
      characters += appendCells(chunk.getColumnVector(index), format, cells);
    });
    if (characters > maxResultCharacters) {
      throw new PlatformError(400, QueryProblem.result);
    }
  }
}

/** Returns how many characters were added; what is no text counts as one. */
function appendCells(vector: DuckDBVector, format: CellFormat, cells: EngineCell[]): number {
  const { itemCount } = vector;
  let characters = 0;
  for (let row = 0; row < itemCount; row++) {
    const value = vector.getItem(row);
    const cell = value === null ? null : format(value);
    characters += typeof cell === 'string' ? cell.length : 1;
    cells.push(cell);
  }
  return characters;
}
