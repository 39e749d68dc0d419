import { open } from 'node:fs/promises';
import { FileProblem } from './file-problem.js';

/** The beginning of a text file. */
export interface FileStart {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Reads the beginning of a UTF-8 file, without a byte order mark.
 * @throws FileProblem when it is not UTF-8.
 */
export async function readStart(path: string, maxBytes: number): Promise<FileStart> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    // `stream`: the cut may have left a part of the last character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead), { stream: true });
    if (text.includes('\0')) throw new TypeError('no text');
    return { text, isWhole: bytesRead < maxBytes };
  } catch (error) {
    throw error instanceof TypeError ? new FileProblem('is not UTF-8 text: save it as UTF-8') : error;
  } finally {
    await file.close();
  }
}
