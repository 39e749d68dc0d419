/** Takes a text that comes in pieces, cut anywhere, apart into its lines. Lines of white space are left out. */
export interface LineSplitter {
  /** Hands over the lines that end in this piece. */
  feed(text: string): void;
  /** What came after the end of the last line. */
  rest(): string;
}

/**
 * Splits lines of bounded length.
 * @param tooLong - the error where a line has more characters than `longest`.
 */
export function lineSplitter(take: (line: string) => void, longest: number, tooLong: () => Error): LineSplitter {
  let rest = '';
  return {
    feed(text) {
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        const line = rest + text.slice(start, end);
        rest = '';
        start = end + 1;
        if (line.length > longest) throw tooLong();
        if (line.trim() !== '') take(line);
      }
      rest += text.slice(start);
      if (rest.length > longest) throw tooLong();
    },
    rest: () => rest,
  };
}
