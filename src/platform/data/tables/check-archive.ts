import { FileProblem } from '../engines/duckdb/text-source.js';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const maxEntries = 2_000;
/** Maximum size of all extracted entries, in bytes. */
const maxExtractedBytes = 250_000_000;
/** Maximum ratio of extracted to compressed size of an entry. XML of a workbook has a ratio of 10 to 50. */
const maxRatio = 500;
/** An entry of this size is harmless whatever its ratio is. */
const smallEntryBytes = 1_000_000;
const sentinel = 0xffffffff;

/**
 * Checks the directory of a ZIP archive before anything is extracted. The reader enforces the sizes that the directory
 * declares.
 * @throws FileProblem if the archive is damaged, or would be too large.
 */
export function checkArchive(data: Buffer): void {
  const end = endOf(data);
  const count = data.readUInt16LE(end + 10);
  let position = data.readUInt32LE(end + 16);
  if (count > maxEntries) throw tooLarge();
  let extracted = 0;
  for (let index = 0; index < count; index++) {
    if (position + 46 > data.length || data.readUInt32LE(position) !== entrySignature) throw damaged();
    const compressed = data.readUInt32LE(position + 20);
    const size = data.readUInt32LE(position + 24);
    // ZIP64 is not needed below 4 GB. Without a size, the reader would not limit the entry.
    if (compressed === sentinel || size === sentinel || (size === 0 && compressed > 2)) throw damaged();
    if (size > smallEntryBytes && size > compressed * maxRatio) throw tooLarge();
    extracted += size;
    position += 46 + [28, 30, 32].reduce((sum, offset) => sum + data.readUInt16LE(position + offset), 0);
  }
  if (extracted > maxExtractedBytes) throw tooLarge();
}

function endOf(data: Buffer): number {
  for (let position = data.length - 22; position >= Math.max(0, data.length - 65_557); position--) {
    if (data.readUInt32LE(position) === endSignature) return position;
  }
  throw damaged();
}

function damaged(): FileProblem {
  return new FileProblem('is not a readable XLSX file: check that it opens in Excel');
}

function tooLarge(): FileProblem {
  return new FileProblem('is too large when it is extracted: save it as CSV or Parquet');
}
