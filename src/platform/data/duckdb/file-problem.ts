/** What is wrong with a file, as the rest of a sentence that begins with its name; it never holds a value of a row. */
export class FileProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileProblem';
  }
}

type Told = (...numbers: readonly string[]) => string;

/** What the engine says of a file, with the numbers in it. All else that it says may quote rows. */
const tellings: readonly (readonly [RegExp, Told])[] = [
  [
    /CSV Error on Line: (\d+).*\nExpected Number of Columns: (\d+) Found: (\d+)/s,
    (line, columns, found) =>
      `has ${found} values in line ${line}, but ${columns} columns: check its separators and quotes`,
  ],
  [
    /CSV Error on Line: (\d+).*\nValue with unterminated quote/s,
    line => `opens a double quote in line ${line} that is never closed`,
  ],
  [/CSV Error on Line: (\d+).*not utf-8/s, line => `is not UTF-8 in line ${line}: save it as UTF-8`],
  [
    /CSV Error on Line: (\d+).*Maximum line size/s,
    line => `has more than 2 MB in line ${line}: shorten it, or close the double quote before it`,
  ],
  [/CSV Error on Line: (\d+)/, line => `can not be read from line ${line} on: check its quotes`],
  [
    /invalid state/,
    () => 'is not of one kind: check that all lines end alike and that quotes stand around whole values',
  ],
  [/byte order mark/, () => 'begins with a byte order mark: save it as UTF-8 without one'],
  // The engine counts what it has read, the line that failed included, from 1 on: one too many.
  [/Malformed JSON.* in line (\d+): /s, line => `is no JSON in line ${Number(line) - 1}: put one object per line`],
  [/Malformed JSON.* in record\/value (\d+): /s, record => `is no JSON in object ${Number(record) - 1}`],
  [/in (line|record\/value) (\d+): Object .* has duplicate key/s, (place, at) => `has a key twice in ${place} ${at}`],
  [/Duplicate name .* in struct/s, () => 'has objects with keys that differ in case alone: rename them'],
  [/expected records/, () => 'holds no rows: put an array of objects, or one object per line'],
];

/** What an operator can do about, by the class that stands before the engine's colon. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['Out of Memory Error', 'needs more memory than there is for it: raise the memory limit, or convert it to Parquet'],
  [
    'IO Error',
    'can not be read, or its import not be written: check that it is whole, its permissions and the room on the disk',
  ],
]);

/** What an import failed of, as the rest of a sentence that begins with the file's name. */
export function tellFileProblem(error: unknown): string | undefined {
  if (error instanceof FileProblem) return error.message;
  if (!(error instanceof Error)) return undefined;
  for (const [pattern, tell] of tellings) {
    const found = pattern.exec(error.message);
    if (found) return tell(...found.slice(1));
  }
  return kinds.get(error.message.split(':', 1)[0] ?? '');
}
