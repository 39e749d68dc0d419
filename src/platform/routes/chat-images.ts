import { type ChatImage, type imageTypes, maxImageBytes } from '../../contract/chat.js';
import { PlatformError } from '../errors.js';

/** What files of a type begin with, in hex. */
const beginnings: Readonly<Record<(typeof imageTypes)[number], RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^474946383[79]61/,
  'image/webp': /^52494646.{8}57454250/,
};
/** Characters of base64 that hold the beginning. */
const beginningLength = 16;

/**
 * Refuses images that are not what they are said to be, before a model or a page is given them.
 * @throws PlatformError 400 that names the image
 */
export function checkImages(images: readonly ChatImage[]): void {
  for (const [index, { data, mimeType }] of images.entries()) {
    const field = `body.images.${index}.data`;
    // The schema has seen to the characters; base64 comes in fours.
    if (data.length % 4 !== 0) throw new PlatformError(400, `${field}: must be base64, padded`);
    if (Buffer.byteLength(data, 'base64') > maxImageBytes) {
      throw new PlatformError(400, `${field}: an image has ${maxImageBytes / 1024 / 1024} MB at most`);
    }
    const beginning = Buffer.from(data.slice(0, beginningLength), 'base64').toString('hex');
    if (!beginnings[mimeType].test(beginning)) throw new PlatformError(400, `${field}: is not of type ${mimeType}`);
  }
}
