import type { MessageTree } from '../../messages/message-format.js';

/** English messages of attached images. */
export const attachmentsMessages = {
  attachments: 'Images to send',
  removeImage: (name: string) => `Remove ${name}`,
  imageName: (number: string) => `Image ${number}`,
} satisfies MessageTree;

/** Messages of attached images, in one language. */
export type AttachmentsMessages = typeof attachmentsMessages;
