/** The strictest policy: only this origin, no inline script or style, no image, no markup from text. */
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
