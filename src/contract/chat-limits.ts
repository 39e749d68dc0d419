// Apart from the schemas, for pages that need the figures before they need those.

/** Images that a message may hold, by type; anything else is refused. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** Most images of one message. */
export const maxImages = 4;
/** Most bytes of one image. */
export const maxImageBytes = 2 * 1024 * 1024;
/** Most characters of one message. */
export const maxInputLength = 16_000;
/** Most characters of a thread's title. */
export const maxTitleLength = 120;
