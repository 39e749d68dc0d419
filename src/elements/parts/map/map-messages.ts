import type { Column } from '../../../contract/row-set.js';
import type { Atlas } from '../../../report/geo/atlas.js';
import type { MapPlace, MapPlaces, MapReading } from '../../../report/geo/map.js';
import type { MarkWithTooltip } from '../../../report/marks/mark-with-tooltip.js';
import { cellOf } from '../../../report/query/groups.js';
import { columnPrinter, columnTitle, type Presentation } from '../../../report/table/table.js';
import { createPluralizer, type MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

const pluralize = createPluralizer('en');

/** English messages of maps. */
export const mapMessages = {
  /** Number of places, at the start of a sentence. */
  states: (count: number) => pluralize(count, { one: 'Map of # state.', other: 'Map of # states.' }),
  countries: (count: number) => pluralize(count, { one: 'Map of # country.', other: 'Map of # countries.' }),
  points: (count: number) => pluralize(count, { one: 'Map of # point.', other: 'Map of # points.' }),
  /** A complete sentence each. */
  highest: (name: string, figure: string) => `Highest: ${name}, ${figure}.`,
  lowest: (name: string, figure: string) => `Lowest: ${name}, ${figure}.`,
  /** Label of the hint that the map does not show all rows. */
  notShown: sharedMessages.notShown,
  /** Reasons why rows are not shown, one sentence each. `examples`: comma-separated names, may be empty. */
  unfound: (count: number, examples: string) =>
    `${pluralize(count, { one: '# place was not found on this map', other: '# places were not found on this map' })}${examples && `: ${examples}`}.`,
  repeated: (count: number) =>
    pluralize(count, {
      one: '# more row refers to a place that is already shown.',
      other: '# more rows refer to places that are already shown.',
    }),
  omitted: (count: number) =>
    pluralize(count, {
      one: '# row was omitted because there are too many to show.',
      other: '# rows were omitted because there are too many to show.',
    }),
} satisfies MessageTree;

/** Messages of maps, in one language. */
export type MapMessages = typeof mapMessages;

/** A rendered place. */
export interface MapMark extends MapPlace, MarkWithTooltip {
  readonly name: string;
  /** Path of the region; empty for a point. */
  readonly path: string;
  /** Full tooltip text. */
  readonly words: string;
}

/** Context for labeling places. */
export interface PlaceWords {
  readonly atlas: Atlas;
  readonly locale: string;
  readonly presentation: Presentation;
}

/** Maximum length of a name in a tooltip, in characters. */
const maxNameLength = 200;

/** Adds names and tooltips to places. */
export function mapMarks(
  { region, label, latitude, longitude, color, size }: MapReading,
  { places }: MapPlaces,
  { atlas, locale, presentation }: PlaceWords,
): readonly MapMark[] {
  const printed = (column: Column) => {
    const print = columnPrinter(column, presentation);
    return (place: MapPlace) => print(cellOf(place.row, column.member));
  };
  const paths = new Map(atlas.regions.map(({ id, path }) => [id, path]));
  const titles = [label].flatMap(column => (column ? [printed(column)] : []));
  const degrees = [latitude, longitude].flatMap(column => (column ? [printed(column)] : []));
  const nameOf = (place: MapPlace): string => {
    if (titles[0]) return titles[0](place);
    if (place.region !== null && region) return atlas.places.name(place.region, locale);
    const values = Object.entries(place.mark.values).filter(
      ([member]) => member !== latitude?.member && member !== longitude?.member,
    );
    return values.length > 0
      ? values.map(([, value]) => String(value)).join(', ')
      : degrees.map(p => p(place)).join(', ');
  };
  const figures = [...new Set([size, color])].flatMap(column =>
    column ? [{ label: columnTitle(column), print: printed(column) }] : [],
  );
  return places.map(place => {
    const name = nameOf(place).slice(0, maxNameLength);
    const rows = figures.map(figure => ({ label: figure.label, value: figure.print(place) }));
    return {
      ...place,
      name,
      path: place.region === null ? '' : (paths.get(place.region) ?? ''),
      tooltip: { title: name, rows },
      words: [name, ...rows.map(row => `${row.label}: ${row.value}`)].join(', '),
    };
  });
}

function countMessage(reading: MapReading, messages: MapMessages): (count: number) => string {
  if (reading.type === 'points') return messages.points;
  return reading.base === 'us' ? messages.states : messages.countries;
}

/** Describes the contents of a map in sentences. */
export function describeMap(
  { reading, marks }: { readonly reading: MapReading; readonly marks: readonly MapMark[] },
  messages: MapMessages,
): string {
  const counted = countMessage(reading, messages);
  const figureOf = ({ value, size }: MapMark): number | null => (reading.color ? value : size);
  const valued = marks.flatMap(place => {
    const figure = figureOf(place);
    return figure === null ? [] : [{ figure, place }];
  });
  const first = valued[0];
  if (!first) return counted(marks.length);
  const highest = valued.reduce((best, next) => (next.figure > best.figure ? next : best), first).place;
  const lowest = valued.reduce((best, next) => (next.figure < best.figure ? next : best), first).place;
  const text = ({ tooltip }: MapMark): string => tooltip.rows.at(reading.color ? -1 : 0)?.value ?? '';
  const sentences = [counted(marks.length), messages.highest(highest.name, text(highest))];
  return [...sentences, ...(lowest === highest ? [] : [messages.lowest(lowest.name, text(lowest))])].join(' ');
}

/** Describes how many rows are not on the map, and why. */
export function leftOut(
  { unfound, repeated, omitted, examples }: MapPlaces,
  locale: string,
  messages: MapMessages,
): { readonly count: number; readonly sentences: string } {
  const names = new Intl.ListFormat(locale, { type: 'unit' }).format(examples);
  const sentences = [
    unfound > 0 ? messages.unfound(unfound, names) : '',
    repeated > 0 ? messages.repeated(repeated) : '',
    omitted > 0 ? messages.omitted(omitted) : '',
  ];
  return { count: unfound + repeated + omitted, sentences: sentences.filter(Boolean).join(' ') };
}
