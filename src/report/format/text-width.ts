/**
 * Estimates the width of text at a font size of 12 px, in px, by character classes instead of measuring. The estimate
 * is too high rather than too low.
 */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

function letterWidth(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  // East Asian characters and emoji are as wide as they are high.
  if (code >= 0x1100 && (code < 0x1200 || code >= 0x2e80)) return 12.5;
  if (/[ilj.,:;'|!ftI ]/.test(letter)) return 4;
  return /[mwMW@%]/.test(letter) ? 10.5 : 7;
}

/** Truncates text with an ellipsis to fit a width. Returns an empty string if almost nothing would fit. */
export function truncateToWidth(text: string, width: number): string {
  if (textWidth(text.slice(0, 500)) <= width) return text.slice(0, 500);
  if (width < 24) return '';
  let [truncated, used] = ['', 9];
  for (const letter of text) {
    used += textWidth(letter);
    if (used > width) break;
    truncated += letter;
  }
  return truncated === '' ? '' : `${truncated.trimEnd()}…`;
}
