import { expect } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.js';

/** Messages of an engine or library, which no caller may see. */
export const engineWords = /\b(Binder|Catalog|Parser|Conversion|Invalid Input|Out of Range|Internal) Error|\bLINE \d/;

/**
 * Returns the result of a statement, or the reason if it is rejected with a 400 and a message of the platform. Other
 * errors are thrown.
 */
export async function answerOrReason<T>(text: string, result: Promise<T>): Promise<T | string> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw new Error(`It broke on: ${text}`, { cause: error });
    const { status, message } = error;
    expect({ text, status }).toEqual({ text, status: 400 });
    expect(message).toMatch(/^\S.*\.$/su);
    expect(message).not.toMatch(engineWords);
    return message;
  }
}
