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
const shortSentinel = 0xffff;
const zip64LocatorSignature = 0x07064b50;
const zip64LocatorBytes = 20;
/** Flag of an entry whose sizes follow its content. */
const hasDescriptor = 8;

/**
 * Checks the directory of a ZIP archive before anything is extracted. The XLSX reader enforces only the sizes that this
 * directory declares. Archives for which the reader could use another directory (ZIP64), or sizes from another place,
 * are rejected.
 * @throws FileProblem if the archive is damaged, or would be too large.
 */
export function checkArchive(data: Buffer): void {
  const end = endOf(data);
  const count = data.readUInt16LE(end + 10);
  const directoryBytes = data.readUInt32LE(end + 12);
  let position = data.readUInt32LE(end + 16);
  if (isZip64(data, end) || count === shortSentinel || directoryBytes === sentinel || position === sentinel)
    throw damaged();
  const directoryEnd = position + directoryBytes;
  if (count > maxEntries) throw tooLarge();
  let extracted = 0;
  for (let index = 0; index < count; index++) {
    if (position + 46 > data.length || data.readUInt32LE(position) !== entrySignature) throw damaged();
    const compressed = data.readUInt32LE(position + 20);
    const size = data.readUInt32LE(position + 24);
    // ZIP64 is not needed below 4 GB. Without a size, the reader would not limit the entry.
    const isStreamed = (data.readUInt16LE(position + 8) & hasDescriptor) !== 0;
    if (isStreamed && compressed === 0) throw damaged();
    if (compressed === sentinel || size === sentinel || (size === 0 && compressed > 2)) throw damaged();
    if (size > smallEntryBytes && size > compressed * maxRatio) throw tooLarge();
    extracted += size;
    position += 46 + [28, 30, 32].reduce((sum, offset) => sum + data.readUInt16LE(position + offset), 0);
  }
  if (position !== directoryEnd) throw damaged();
  if (extracted > maxExtractedBytes) throw tooLarge();
}

function isZip64(data: Buffer, end: number): boolean {
  const locator = end - zip64LocatorBytes;
  return locator >= 0 && data.readUInt32LE(locator) === zip64LocatorSignature;
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
