const maxLength = 80;

/** Converts a title to a file name that is valid on every operating system; `fallback` if no valid name remains. */
export function fileName(title: string, fallback: string): string {
  const clean = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
    .replace(/[\\/:*?"<>|\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Surrogate}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  const short = [...clean]
    .slice(0, maxLength)
    .join('')
    .replace(/[ .]+$/, '');
  // Windows reserves device names with any extension.
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? fallback : short;
}
