/** Words of a table. */
export interface TableMessages {
  /** Name of the button in a heading. */
  readonly sortHint: string;
  /** Of an answer that was cut: what sorting does then. */
  readonly sortsShown: string;
  readonly ascending: (title: string) => string;
  readonly descending: (title: string) => string;
  /** A list of the two above. */
  readonly sortedBy: (list: string) => string;
  readonly unsorted: string;
  /** Name of the handle between two headings. */
  readonly width: (title: string) => string;
  /** `count` as a number for its plural, `text` as it is written. */
  readonly copied: (count: number, text: string) => string;
  readonly copyTooMany: (most: string) => string;
  /** Below the rows that were printed. */
  readonly leftOut: (count: number, text: string) => string;
  /** What a coloured cell says beside its colour. */
  readonly tones: Readonly<Record<'positive' | 'negative' | 'warning' | 'accent', string>>;
  /** A small line of figures. */
  readonly trend: (count: number, text: string, from: string, to: string) => string;
  /** Of a pivot with more columns or rows than a table holds. */
  readonly cut: string;
  /** Heading of a row or column of totals. */
  readonly total: string;
  /** Name of the list of a pivot's column groups in a narrow box, and its entry for all of them. */
  readonly columnGroup: string;
  readonly allGroups: string;
}
