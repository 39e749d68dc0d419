/**
 * Converts only the letters A to Z to lower case. Names and emails are compared with it, because `toLowerCase` also
 * maps other characters to ASCII letters. For example, the Kelvin sign (U+212A) becomes "k", so that two emails would
 * be equal.
 */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase());
}
