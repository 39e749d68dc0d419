import type { ChatImage } from '../../../contract/chat.js';
import { imageTypes, maxImageBytes, maxImages } from '../../../controllers/chat/chat-status.js';

/** A file that cannot be attached, and the reason. */
export interface RefusedFile {
  readonly name: string;
  readonly reason: 'type' | 'size' | 'count' | 'unreadable';
}

/**
 * Reads files as images of a message.
 * @param already - number of images that are already attached.
 */
export async function readImages(
  files: Iterable<File>,
  already = 0,
): Promise<{ images: ChatImage[]; refused: readonly RefusedFile[] }> {
  const images: ChatImage[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const { name } = file;
    const mimeType = imageTypes.find(type => type === file.type);
    if (!mimeType) refused.push({ name, reason: 'type' });
    else if (file.size > maxImageBytes) refused.push({ name, reason: 'size' });
    else if (already + images.length >= maxImages) refused.push({ name, reason: 'count' });
    else {
      const data = await readBase64(file);
      if (data) images.push({ mimeType, data, name: name.slice(0, 255) });
      else refused.push({ name, reason: 'unreadable' });
    }
  }
  return { images, refused };
}

function readBase64(file: File): Promise<string | null> {
  return new Promise(resolve => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? (reader.result.split(',', 2)[1] ?? null) : null);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
