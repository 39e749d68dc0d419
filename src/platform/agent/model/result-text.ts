import type { JsonObject } from '../../../contract/wire.js';

const cut = 'Rows were left out: totalRows says how many there are. Ask for less, or group.';
const none = JSON.stringify({ note: 'The result is too large to be told here: ask for less.' });

/**
 * The result of a tool as a model is told of it: JSON of at most so many characters, or a note. Rows are left out from the end; what
 * serves a page alone is left out anyway.
 */
export function resultText(result: JsonObject, room: number): string {
  const { vegaSpec: _chart, uuid: _id, ...told } = result;
  const text = JSON.stringify(told);
  if (text.length <= room) return text;
  if (!Array.isArray(told.data)) return none;
  const kept: unknown[] = [];
  let left = room - JSON.stringify({ ...told, data: [], note: cut }).length;
  for (const row of told.data) {
    left -= JSON.stringify(row).length + 1;
    if (left < 0) break;
    kept.push(row);
  }
  return kept.length === 0 ? none : JSON.stringify({ ...told, data: kept, note: cut });
}
