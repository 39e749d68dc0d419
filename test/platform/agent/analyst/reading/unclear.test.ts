import { describe, expect, it } from 'vitest';
import { type Draft, emptyDraft } from '../../../../../src/platform/agent/analyst/reading/draft.js';
import type { Mention, Piece } from '../../../../../src/platform/agent/analyst/reading/pieces.js';
import { emptyReading, type Reading } from '../../../../../src/platform/agent/analyst/reading/reading.js';
import { isUnclearFigure } from '../../../../../src/platform/agent/analyst/reading/unclear-figures.js';
import { isUnclear, type Place } from '../../../../../src/platform/agent/analyst/reading/unclear-mentions.js';
import {
  isBoth,
  isPooledPeriod,
  isQuestionWord,
} from '../../../../../src/platform/agent/analyst/reading/unclear-words.js';
import { Cue } from '../../../../../src/platform/agent/analyst/vocabulary/cues.js';
import { type Member, MemberKind } from '../../../../../src/platform/agent/analyst/vocabulary/lexicon.js';
import { stemsOf } from '../../../../../src/platform/agent/analyst/vocabulary/words.js';

const member = (name: string, title: string, more: Partial<Member>): Member => ({
  name,
  title,
  kind: MemberKind.dimension,
  type: 'string',
  aggregate: null,
  cube: 'visits',
  cubeTitle: 'Visits',
  description: '',
  joinGroup: 'visits',
  units: [],
  ordered: false,
  isPrimaryKey: false,
  isOneOfTimes: false,
  suggestsValues: false,
  granularities: [],
  annotation: { name, title, shortTitle: title, type: 'string', isVisible: true, public: true },
  ...more,
});
const measure = (name: string, title: string, aggregate: string) =>
  member(name, title, { kind: MemberKind.measure, type: 'number', aggregate });

const price = member('visits.price', 'Price', { type: 'number' });
const averagePrice = measure('visits.average_price', 'Average Price', 'average');
const visits = measure('visits.count', 'Countries', 'count');
const country = member('visits.country', 'Country', {});
const stay = member('visits.stay', 'Stay', {});
const heat = measure('visits.heat', 'Temperature max', 'average');

const mention = (text: string, ...members: Member[]): Mention => ({
  kind: 'mention',
  text,
  stems: stemsOf(text),
  targets: members.map(one => ({ kind: 'member', member: one, quality: 1, isLoose: false })),
  from: 0,
  to: 1,
});
const cue = (norm: string, kind: Cue, grain?: string): Piece => ({
  kind: 'cue',
  cue: kind,
  norm,
  ...(grain ? { grain } : {}),
  from: 0,
  to: 1,
});
const stop: Piece = { kind: 'stop', from: 0, to: 1 };

/** Returns the last span of a question. */
function placeOf(
  spans: readonly (readonly [Piece, string])[],
  { reading, draft }: { readonly reading?: Partial<Reading>; readonly draft?: Partial<Draft> },
): Place {
  return {
    index: spans.length - 1,
    pieces: spans.map(([piece, text]) => ({ piece, text })),
    reading: { ...emptyReading, ...reading },
    draft: { ...emptyDraft(), aim: 'figures', ...draft },
  };
}

describe('a mention is unclear', () => {
  it('if a share may be relative to a column', () => {
    const column = mention('price', price, averagePrice);
    const share: readonly [Piece, string] = [cue('percent of', Cue.share), 'percent of'];
    expect(isUnclear(column, placeOf([share, [column, 'price']], { draft: { by: [column] } }))).toBe(true);
    expect(
      isUnclear(
        column,
        placeOf(
          [
            [stop, 'the'],
            [column, 'price'],
          ],
          { draft: { by: [column] } },
        ),
      ),
    ).toBe(false);
    const text = mention('country', country);
    expect(isUnclear(text, placeOf([share, [text, 'country']], { draft: { by: [text] } }))).toBe(false);
  });

  it('if it only modifies the granularity before it', () => {
    const noun = mention('stay', stay);
    const spans: (readonly [Piece, string])[] = [
      [cue('day', Cue.grain, 'day'), 'day'],
      [stop, 'of'],
      [noun, 'stay'],
    ];
    expect(isUnclear(noun, placeOf(spans, { reading: { dimensions: [stay] } }))).toBe(true);
    expect(isUnclear(noun, placeOf(spans, { reading: { dimensions: [] } }))).toBe(false);
    expect(
      isUnclear(
        noun,
        placeOf(
          [
            [cue('by', Cue.by), 'by'],
            [noun, 'stay'],
          ],
          { reading: { dimensions: [stay] } },
        ),
      ),
    ).toBe(false);
  });

  it('if an extreme is requested of a measure that has another aggregate', () => {
    const extreme = mention('max temperature', heat);
    const named = mention('temperature max', heat);
    expect(isUnclear(extreme, placeOf([[extreme, extreme.text]], { reading: { measures: [heat] } }))).toBe(true);
    expect(isUnclear(named, placeOf([[named, named.text]], { reading: { measures: [heat] } }))).toBe(false);
    const highest = { ...heat, aggregate: 'max' };
    const own = mention('max temperature', highest);
    expect(isUnclear(own, placeOf([[own, own.text]], { reading: { measures: [highest] } }))).toBe(false);
  });

  it('if it may count rows or the values of a column with the same name', () => {
    const countries = mention('countries', visits, country);
    expect(isUnclear(countries, placeOf([[countries, 'countries']], { reading: { measures: [visits] } }))).toBe(true);
    expect(isUnclear(countries, placeOf([[countries, 'countries']], { reading: { dimensions: [country] } }))).toBe(
      false,
    );
    const rows = mention('countries', visits);
    expect(isUnclear(rows, placeOf([[rows, 'countries']], { reading: { measures: [visits] } }))).toBe(false);
  });

  it('if it is a unit, a figure after “for each”, or one of two columns without an aggregate', () => {
    const figure = mention('price', averagePrice, price);
    const hours = mention('hours', member('visits.hour', 'Hour', { type: 'number' }));
    const inHours: (readonly [Piece, string])[] = [
      [figure, 'price'],
      [stop, 'in'],
      [hours, 'hours'],
    ];
    expect(isUnclearFigure(hours, placeOf(inHours, { draft: { measures: [figure] } }))).toBe(true);
    const byHours: (readonly [Piece, string])[] = [
      [figure, 'price'],
      [cue('by', Cue.by), 'by'],
      [hours, 'hours'],
    ];
    expect(isUnclearFigure(hours, placeOf(byHours, { draft: { measures: [figure] } }))).toBe(false);
    const each: (readonly [Piece, string])[] = [
      [stop, 'rooms'],
      [cue('for each', Cue.by), 'for each'],
      [figure, 'price'],
    ];
    expect(isUnclearFigure(figure, placeOf(each, { draft: { measures: [figure] } }))).toBe(true);
    const other = { ...figure, from: 2, to: 3 };
    const pair = { measures: [averagePrice, heat] };
    expect(
      isUnclearFigure(figure, placeOf([[figure, 'price']], { draft: { measures: [figure, other] }, reading: pair })),
    ).toBe(true);
  });
});

describe('a word', () => {
  it('may request a group or refer to an earlier question', () => {
    const where = placeOf([[stop, 'where']], {});
    expect(isQuestionWord('where', where)).toBe(true);
    expect(isQuestionWord('where', { ...where, reading: { ...emptyReading, dimensions: [country] } })).toBe(false);
    expect(isQuestionWord('when', placeOf([[stop, 'when']], { reading: { grain: 'month' } }))).toBe(false);
    expect(isBoth('both', where)).toBe(true);
    expect(
      isBoth(
        'both',
        placeOf([[stop, 'both']], { draft: { by: [mention('country', country), mention('stay', stay)] } }),
      ),
    ).toBe(false);
  });

  it('may join two periods, each of which may be requested', () => {
    const [may, june] = [
      { from: '2024-05-01', to: '2024-05-31' },
      { from: '2024-06-01', to: '2024-06-30' },
    ];
    const date = { from: 0, to: 12, span: { from: may.from, to: june.to }, ends: [may, june] as const };
    const piece: Piece = { kind: 'date', date, from: 0, to: 3 };
    const isPooled = (text: string, one: Member) =>
      isPooledPeriod({ piece, text }, { reading: { ...emptyReading, measures: [one] } });
    expect(isPooled('May and June', averagePrice)).toBe(true);
    expect(isPooled('May and June', visits)).toBe(false);
    expect(isPooled('between May and June', averagePrice)).toBe(false);
  });
});
