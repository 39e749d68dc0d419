/** The strictest policy. It allows only this origin, and no inline scripts or styles, images, or markup from text. */
export const strictestPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
