/** Words of reports in HTML. Counts come formatted. */
export interface HtmlMessages {
  readonly firstRows: (shown: string, total: string) => string;
  /** Of what is left out because there is too much of it. */
  readonly tooMuch: string;
}
