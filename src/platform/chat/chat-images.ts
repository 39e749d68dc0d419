import { type ChatImage, type imageTypes, maxImageBytes } from '../../contract/chat.js';
import { PlatformError } from '../errors.js';

/** File signatures by image type, in hex. */
const signatures: Readonly<Record<(typeof imageTypes)[number], RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^474946383[79]61/,
  'image/webp': /^52494646.{8}57454250/,
};
/** Number of base64 characters that contain the signature. */
const signatureLength = 16;

/**
 * Rejects images whose data does not match their type, before they reach a language model or a page.
 * @param path - location of the images in the request.
 * @throws PlatformError 400 with the location of the image.
 */
export function checkImages(images: readonly ChatImage[], path = 'body.images'): void {
  for (const [index, { data, mimeType }] of images.entries()) {
    const field = `${path}.${index}.data`;
    // The schema has validated the characters, but not that their number is a multiple of four, as padded base64
    // requires.
    if (data.length % 4 !== 0) throw new PlatformError(400, `${field}: must be padded base64`);
    if (Buffer.byteLength(data, 'base64') > maxImageBytes) {
      throw new PlatformError(400, `${field}: exceeds the image limit of ${maxImageBytes / 1024 / 1024} MB`);
    }
    const signature = Buffer.from(data.slice(0, signatureLength), 'base64').toString('hex');
    if (!signatures[mimeType].test(signature)) throw new PlatformError(400, `${field}: is not of type ${mimeType}`);
  }
}
