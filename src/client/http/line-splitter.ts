/** Splits text that arrives in arbitrary chunks into lines. Blank lines are skipped. */
export interface LineSplitter {
  /** Adds a chunk of text and passes on each line that it completes. */
  feed(text: string): void;
  /** Returns the text after the last line break. */
  rest(): string;
}

/**
 * Splits text into lines of limited length.
 * @param tooLong - creates the error for a line longer than `maxLength` characters.
 */
export function lineSplitter(take: (line: string) => void, maxLength: number, tooLong: () => Error): LineSplitter {
  let rest = '';
  return {
    feed(text) {
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        const line = rest + text.slice(start, end);
        rest = '';
        start = end + 1;
        if (line.length > maxLength) throw tooLong();
        if (line.trim() !== '') take(line);
      }
      rest += text.slice(start);
      if (rest.length > maxLength) throw tooLong();
    },
    rest: () => rest,
  };
}
