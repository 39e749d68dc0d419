/** Width of a text of 12 px, px: by the kinds of its letters, since nothing is measured. A little too wide rather than too narrow. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    // Letters of East Asia, and pictures, are as wide as they are high.
    width +=
      code >= 0x1100 && (code < 0x1200 || code >= 0x2e80)
        ? 12.5
        : /[ilj.,:;'|!ftI ]/.test(letter)
          ? 4
          : /[mwMW@%]/.test(letter)
            ? 10.5
            : 7;
  }
  return width;
}

/** As much of a text as fits, with an ellipsis where some of it doesn't; nothing where next to nothing would. */
export function truncateToWidth(text: string, width: number): string {
  if (textWidth(text.slice(0, 500)) <= width) return text.slice(0, 500);
  if (width < 24) return '';
  let [kept, used] = ['', 9];
  for (const letter of text) {
    used += textWidth(letter);
    if (used > width) break;
    kept += letter;
  }
  return kept === '' ? '' : `${kept.trimEnd()}…`;
}
