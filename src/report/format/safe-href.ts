/**
 * Returns a safe link target, or `null`. Allows http, https, mailto and relative targets. Removes control characters
 * and spaces first, because browsers ignore them within a scheme; rejects `//host` and `\\host`, which leave the origin
 * without a scheme.
 */
export function safeHref(href: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
  const clean = href.replace(/[\u0000-\u0020\u007f]/g, '');
  if (/^[\\/]{2}/.test(clean) || clean === '') return null;
  const scheme = /^([^/?#]*?):/.exec(clean)?.[1]?.toLowerCase();
  return scheme === undefined || ['http', 'https', 'mailto'].includes(scheme) ? clean : null;
}
