const cssColor =
  /^(?:[a-z]+|#[0-9a-f]{3,8}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\((?:[^()\\"<>&]|\([^()\\"<>&]*\))*\))$/i;

/** Checks for a CSS color name, hex value or color function. No accepted value can load a resource. */
export function isCssColor(value: string): boolean {
  return cssColor.test(value) && !/url|image/i.test(value);
}
