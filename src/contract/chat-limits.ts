// Separate from the schemas, so that pages can use these limits without loading them.

/** Image types allowed in a message; other types are rejected. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** Maximum number of images per message. */
export const maxImages = 4;
/** Maximum size of an image, in bytes. */
export const maxImageBytes = 2 * 1024 * 1024;
/** Maximum size of the context of a message, in bytes of JSON. */
export const maxContextBytes = 512 * 1024;
/** Maximum length of a message, in characters. */
export const maxInputLength = 16_000;
/** Maximum length of the comment on a rating, in characters. */
export const maxCommentLength = 1000;
/** Maximum length of a thread's title, in characters. */
export const maxTitleLength = 120;
