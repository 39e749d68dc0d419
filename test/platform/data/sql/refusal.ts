import { expect } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.js';

/** What an engine or the library says, and nobody is to read. */
export const engineWords = /\b(Binder|Catalog|Parser|Conversion|Invalid Input|Out of Range|Internal) Error|\bLINE \d/;

/**
 * What is answered to a statement; the reason, where it is refused as one refuses a statement: a 400 in our own words. Anything else that
 * goes wrong is thrown.
 */
export async function answerOrReason<T>(text: string, asked: Promise<T>): Promise<T | string> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw new Error(`It broke on: ${text}`, { cause: error });
    const { status, message } = error;
    expect({ text, status }).toEqual({ text, status: 400 });
    expect(message).toMatch(/^\S.*\.$/su);
    expect(message).not.toMatch(engineWords);
    return message;
  }
}
