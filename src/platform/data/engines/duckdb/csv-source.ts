import { extname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from './open-instance.js';
import { FileProblem, type FileStart, Reading, readStart, typedSelect } from './text-source.js';

/** Maximum size of the first line in bytes. */
const maxHeaderBytes = 256 * 1024;

/**
 * Returns the SELECT that reads a CSV file: UTF-8, column names in the first line, double quotes around values that
 * contain a separator or line break. The separator is the most frequent of `,` `;` tab `|` in the first line (`.tsv`:
 * always tab). An empty unquoted value is NULL. Any other text is a value.
 * @throws FileProblem if the first line contains no valid column names.
 */
export async function csvSelect(connection: DuckDBConnection, path: string): Promise<string> {
  const separators = extname(path).toLowerCase() === '.tsv' ? ['\t'] : [',', ';', '\t', '|'];
  const start = await readStart(path, maxHeaderBytes);
  const { separator, values, lineEnd } = separators
    .map(candidate => ({ separator: candidate, ...firstRecord(start, candidate) }))
    .reduce((best, next) => (next.values.length > best.values.length ? next : best));
  const names = nameColumns(values);
  // Disable the engine's detection. It skips rows that do not match a format guessed from a sample, and takes the first
  // line break as the line ending, even if it is part of a column name.
  const from = `read_csv(${sqlString(path)}, auto_detect = false, header = true, delim = '${separator}', quote = '"',
    escape = '"', comment = '', new_line = '${lineEnd}', columns = {${names.map(name => `${sqlString(name)}: 'VARCHAR'`).join(', ')}})`;
  const columns = names.map(name => ({ name, reading: Reading.anything }));
  return typedSelect(connection, columns, from);
}

interface FirstRecord {
  readonly values: readonly string[];
  /** Line ending in the syntax of the engine's option. */
  readonly lineEnd: string;
}

function firstRecord({ text, isWhole }: FileStart, separator: string): FirstRecord {
  const values: string[] = [];
  let start = 0;
  let quotes = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      // Inside an unquoted value, a quote is a normal character.
      if (quotes > 0 || text.slice(start, index).trim() === '') quotes += 1;
    } else if (quotes % 2 === 0) {
      if (character === '\n' || character === '\r') {
        return { values: [...values, unquote(text.slice(start, index))], lineEnd: lineEndAt(text, index) };
      }
      if (character === separator) {
        values.push(unquote(text.slice(start, index)));
        start = index + 1;
        quotes = 0;
      }
    }
  }
  if (!isWhole) throw new FileProblem('has a first line that is too long: it must contain the column names');
  return { values: [...values, unquote(text.slice(start))], lineEnd: String.raw`\n` };
}

function lineEndAt(text: string, index: number): string {
  if (text[index] === '\n') return String.raw`\n`;
  return text[index + 1] === '\n' ? String.raw`\r\n` : String.raw`\r`;
}

function unquote(value: string): string {
  const trimmed = value.trim();
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  return isQuoted ? trimmed.slice(1, -1).replaceAll('""', '"').trim() : trimmed;
}

/** Names unnamed columns by position: `column3`. */
function nameColumns(header: readonly string[]): string[] {
  if (header.every(value => value === ''))
    throw new FileProblem('has an empty first line: it must contain the column names');
  const seen = new Set<string>();
  return header.map((value, index) => {
    const name = value === '' ? `column${index + 1}` : value;
    if (seen.has(name.toLowerCase())) {
      throw new FileProblem(
        `has two columns with the same name (the second is column ${index + 1}): rename one of them`,
      );
    }
    seen.add(name.toLowerCase());
    return name;
  });
}
