import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { FileProblem } from '../engines/duckdb/text-source.js';
import { checkArchive } from './check-archive.js';

/** Values of failed formulas. */
const errorValue = /^#(DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!|GETTING_DATA)$/;
const maxColumns = 1_000;
const maxRows = 1_048_576;
/** Maximum size of the extracted rows, in characters. */
const maxCharacters = 500_000_000;

/** The rows of a sheet, and the names of all sheets. */
interface WorkbookRows {
  /** File with one JSON object per row. */
  readonly rows: string;
  readonly sheets: readonly string[];
}

/**
 * Writes the rows of a sheet as JSON, one object per line. The first row that is not empty contains the column names.
 * Omits empty rows and failed formulas.
 * @param sheet - name of the sheet; `null` for the first one.
 * @throws FileProblem
 */
export async function readWorkbook(file: string, sheet: string | null, output: string): Promise<WorkbookRows> {
  const data = await readFile(file);
  checkArchive(data);
  const sheets = await sheetsOf(data);
  if (sheets.length === 0) throw new FileProblem('has no sheets');
  const name = sheet ?? sheets[0];
  if (name === undefined || !sheets.includes(name)) {
    throw new FileProblem(`has no such sheet; its sheets are ${sheets.slice(0, 20).join(', ').slice(0, 500)}`);
  }
  const stream = createWriteStream(output);
  try {
    await writeRows(streamXlsxRows(data, { sheet: sheets.indexOf(name) }), stream);
  } catch (error) {
    throw error instanceof FileProblem ? error : new FileProblem('cannot be read: check that it opens in Excel');
  } finally {
    stream.end();
    await finished(stream);
  }
  return { rows: output, sheets };
}

/** Returns the names of the sheets without reading their rows. */
async function sheetsOf(data: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  const isRead = ({ name }: { readonly name: string }): boolean => {
    names.push(name);
    return false;
  };
  await readXlsx(data, { sheets: isRead }).catch(() => {
    throw new FileProblem('is not a readable XLSX file, or is encrypted: check that it opens in Excel');
  });
  return names;
}

async function writeRows(
  rows: AsyncIterable<{ readonly values: readonly CellValue[] }>,
  stream: WriteStream,
): Promise<void> {
  let names: readonly string[] | null = null;
  let characters = 0;
  let count = 0;
  for await (const { values } of rows) {
    const cells = values.map(cellOf);
    if (cells.every(cell => cell === null)) continue;
    if (names === null) {
      names = nameColumns(cells);
      continue;
    }
    if (cells.slice(names.length).some(cell => cell !== null)) {
      throw new FileProblem('has values to the right of the columns with a name: name all columns in the first row');
    }
    // The first line contains all names, because it determines the order of the columns.
    const columns = names.map((name, index) => [name, cells[index] ?? null] as const);
    const line = `${objectText(count === 0 ? columns : columns.filter(([, cell]) => cell !== null))}\n`;
    characters += line.length;
    count += 1;
    if (count > maxRows || characters > maxCharacters) throw new FileProblem('has too many rows: save it as Parquet');
    if (!stream.write(line)) await once(stream, 'drain');
  }
  if (names === null) throw new FileProblem('has an empty sheet: its first row must contain the column names');
  if (count === 0) throw new FileProblem('has no rows below the column names');
}

/** Writes an object in the given order. `JSON.stringify` would move names such as `2024` before the others. */
function objectText(entries: readonly (readonly [name: string, cell: Cell])[]): string {
  return `{${entries.map(entry => entry.map(part => JSON.stringify(part)).join(':')).join(',')}}`;
}

type Cell = string | number | boolean | null;

function cellOf(value: CellValue): Cell {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : dateText(value);
  if (typeof value === 'string') return value === '' || errorValue.test(value) ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'boolean' ? value : null;
}

function dateText(date: Date): string {
  const text = date.toISOString();
  if (!/^\d{4}-/.test(text)) return text;
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

/** Names unnamed columns by position: `column3`. */
function nameColumns(header: readonly Cell[]): string[] {
  const used = header.slice(0, header.findLastIndex(cell => cell !== null) + 1);
  if (used.length > maxColumns) throw new FileProblem(`has more than ${maxColumns} columns: remove some`);
  const seen = new Set<string>();
  return used.map((cell, index) => {
    const name = cell === null ? `column${index + 1}` : String(cell).trim();
    if (name === '' || seen.has(name.toLowerCase())) {
      throw new FileProblem(`has a missing or repeated name in column ${index + 1}: rename it`);
    }
    seen.add(name.toLowerCase());
    return name;
  });
}
