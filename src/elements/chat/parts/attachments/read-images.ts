import type { ChatImage } from '../../../../contract/chat.js';

// As the platform has them (`contract/chat.ts`); here again, since the schemas around them would weigh more than these lines.
const types: readonly ChatImage['mimeType'][] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const mostBytes = 2 * 1024 * 1024;
const mostImages = 4;

/** A file that can't go with a message, and why. */
export interface RefusedFile {
  readonly name: string;
  readonly reason: 'type' | 'size' | 'count' | 'unreadable';
}

/**
 * Reads files as images of a message.
 * @param already - how many the message holds before.
 */
export async function readImages(
  files: Iterable<File>,
  already = 0,
): Promise<{ images: ChatImage[]; refused: readonly RefusedFile[] }> {
  const images: ChatImage[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const { name } = file;
    const mimeType = types.find(type => type === file.type);
    if (!mimeType) refused.push({ name, reason: 'type' });
    else if (file.size > mostBytes) refused.push({ name, reason: 'size' });
    else if (already + images.length >= mostImages) refused.push({ name, reason: 'count' });
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
