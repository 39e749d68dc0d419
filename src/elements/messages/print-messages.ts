import { createPluralizer, type MessageTree } from './message-format.js';

const pluralize = createPluralizer('en');

/** English messages of exported dashboards. */
export const printMessages = {
  /** Number of a page and of all pages. */
  page: (page: string, pages: string) => `Page ${page} of ${pages}`,
  /** Title of a tile that continues on another page. */
  continued: (title: string) => `${title} (continued)`,
  created: (time: string) => `Created ${time}`,
  /** Shown if a dashboard has more tiles than a file can contain. */
  omittedTiles: (count: number) =>
    pluralize(count, { one: '# tile is not included.', other: '# tiles are not included.' }),
  /** Shown if the fonts lack characters. */
  missingCharacters: (characters: string) => `Characters that can’t be displayed: ${characters}`,
  /** Shown below a table that shows only its first rows. */
  rowsInFile: (shown: string, total: string) => `Contains ${shown} of ${total} rows.`,
} satisfies MessageTree;

/** Messages of exported dashboards, in one language. */
export type PrintMessages = typeof printMessages;
