const maxLength = 80;

/** A title as the name of a file that every system takes; `fallback` where nothing of it is left. */
export function fileName(title: string, fallback: string): string {
  const clean = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\\/:*?"<>|\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Surrogate}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  const short = [...clean]
    .slice(0, maxLength)
    .join('')
    .replace(/[ .]+$/, '');
  // Names of devices are taken on Windows, whatever stands behind their dot.
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? fallback : short;
}
