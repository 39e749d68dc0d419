/**
 * Escapes untrusted text for Markdown, so that it contains no markup and no links.
 * @param maxLength - maximum number of characters.
 */
export function plainText(text: string, maxLength = 120): string {
  // Remove control characters and bidirectional formatting characters.
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  return cut
    .replace(/[\\`*_[\]<>|~#&!{}$^=]/g, '\\$&')
    .replace(/^(\d*)([-+.)])(?=\s)/, '$1\\$2')
    .replace(/:(?=\/)|@|\.(?=\p{L})/gu, '\\$&');
}
