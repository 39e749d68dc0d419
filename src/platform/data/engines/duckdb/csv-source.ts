import { extname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from './open-instance.js';
import { FileProblem, type FileStart, Reading, readStart, typedSelect } from './text-source.js';

/** The first line has to fit into it. */
const maxHeaderBytes = 256 * 1024;

/**
 * The SELECT that reads a CSV file: UTF-8, names of columns in the first line, one of `,` `;` tab `|` between values (whichever
 * the first line has most of; in `.tsv` a tab), double quotes around values that hold one of these or the end of a line.
 * Nothing between two separators is NULL; any other text is a value.
 * @throws FileProblem when the first line can't name columns.
 */
export async function csvSelect(connection: DuckDBConnection, path: string): Promise<string> {
  const separators = extname(path).toLowerCase() === '.tsv' ? ['\t'] : [',', ';', '\t', '|'];
  const start = await readStart(path, maxHeaderBytes);
  const { separator, values } = separators
    .map(candidate => ({ separator: candidate, values: firstRecord(start, candidate) }))
    .reduce((most, next) => (next.values.length > most.values.length ? next : most));
  const names = nameColumns(values);
  // Nothing is left to detection: it looks at a part of the file, and passes over rows that don't fit what it guessed.
  const from = `read_csv(${sqlString(path)}, auto_detect = false, header = true, delim = '${separator}', quote = '"',
    escape = '"', comment = '', columns = {${names.map(name => `${sqlString(name)}: 'VARCHAR'`).join(', ')}})`;
  const columns = names.map(name => ({ name, reading: Reading.anything }));
  return typedSelect(connection, columns, from);
}

function firstRecord({ text, isWhole }: FileStart, separator: string): string[] {
  const values: string[] = [];
  let start = 0;
  let quotes = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      // One further inside a value without quotes is a character of it.
      if (quotes > 0 || text.slice(start, index).trim() === '') quotes += 1;
    } else if (quotes % 2 === 0) {
      if (character === '\n' || character === '\r') return [...values, unquote(text.slice(start, index))];
      if (character === separator) {
        values.push(unquote(text.slice(start, index)));
        start = index + 1;
        quotes = 0;
      }
    }
  }
  if (!isWhole) throw new FileProblem('has too long a first line: name its columns there');
  return [...values, unquote(text.slice(start))];
}

function unquote(value: string): string {
  const trimmed = value.trim();
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  return isQuoted ? trimmed.slice(1, -1).replaceAll('""', '"').trim() : trimmed;
}

/** A column without a name is named after its place: `column3`. */
function nameColumns(written: readonly string[]): string[] {
  if (written.every(value => value === '')) throw new FileProblem('has an empty first line: name its columns there');
  const seen = new Set<string>();
  return written.map((value, index) => {
    const name = value === '' ? `column${index + 1}` : value;
    if (seen.has(name.toLowerCase())) {
      throw new FileProblem(`has one name for two columns (the second is column ${index + 1}): rename one of them`);
    }
    seen.add(name.toLowerCase());
    return name;
  });
}
