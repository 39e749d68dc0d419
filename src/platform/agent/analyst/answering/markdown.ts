/**
 * A text that others wrote, as plain text within Markdown: nothing in it is markup, and no address in it becomes a link.
 * @param longest - most of its characters.
 */
export function plainText(text: string, longest = 120): string {
  // Control characters and marks that turn the direction of a line say nothing here.
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const cut = line.length > longest ? `${line.slice(0, longest)}…` : line;
  return cut
    .replace(/[\\`*_[\]<>|~#&!{}$^=]/g, '\\$&')
    .replace(/^(\d*)([-+.)])(?=\s)/, '$1\\$2')
    .replace(/:(?=\/)|@|\.(?=\p{L})/gu, '\\$&');
}
