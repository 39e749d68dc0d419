/**
 * The target of a link as a page may use it, or null: http, https and mailto, and relative targets. Browsers drop control
 * characters and blanks inside a scheme, so those go first; `//host` and `\\host` would leave the origin without naming a scheme.
 */
export function safeHref(href: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = href.replace(/[\u0000-\u0020\u007f]/g, '');
  if (/^[\\/]{2}/.test(clean) || clean === '') return null;
  const scheme = /^([^/?#]*?):/.exec(clean)?.[1]?.toLowerCase();
  return scheme === undefined || ['http', 'https', 'mailto'].includes(scheme) ? clean : null;
}
