/** Words of maps. Figures come formatted, counts don't. */
export interface MapMessages {
  /** What is drawn, in numbers: the beginning of a sentence. */
  readonly states: (count: number) => string;
  readonly countries: (count: number) => string;
  readonly points: (count: number) => string;
  /** A whole sentence each. */
  readonly highest: (name: string, figure: string) => string;
  readonly lowest: (name: string, figure: string) => string;
  /** Mark of a map that doesn't show all there is. */
  readonly notShown: (count: number) => string;
  /** Why it doesn't, a sentence each. `examples`: names, none or some. */
  readonly unfound: (count: number, examples: string) => string;
  readonly repeated: (count: number) => string;
  readonly omitted: (count: number) => string;
}
