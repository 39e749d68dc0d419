const cssColor =
  /^(?:[a-z]+|#[0-9a-f]{3,8}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\((?:[^()\\"<>&]|\([^()\\"<>&]*\))*\))$/i;

/** True for a colour in CSS by name, digits or a function; nothing in it can load. */
export function isCssColor(value: string): boolean {
  return cssColor.test(value) && !/url|image/i.test(value);
}
