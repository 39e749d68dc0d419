import { Cue, grainOf } from '../vocabulary/cues.js';
import type { DimensionValues } from '../vocabulary/dimension-values.js';
import { normalize, stemsOf } from '../vocabulary/words.js';
import { hasSameMember } from './mention-role.js';
import { type Choices, choose } from './outcome.js';
import type { Mention, Piece, Target } from './pieces.js';

/**
 * Returns mentions of date dimensions in a question without a time reference. `closed`, for example, may also be a
 * status.
 */
export function ambiguousDates(pieces: readonly Piece[]): Mention[] {
  const said = pieces.filter(({ kind }) => kind !== 'stop');
  if (said.some(piece => piece.kind === 'date' || (piece.kind === 'cue' && timely.has(piece.cue)))) return [];
  return said.filter((piece, index): piece is Mention => {
    const before = said[index - 1];
    const isGroup = before?.kind === 'cue' && (before.cue === Cue.by || before.cue === Cue.sort);
    return (
      piece.kind === 'mention' &&
      !isGroup &&
      piece.targets.some(({ member }) => member.type === 'time') &&
      !piece.targets.some(isOther)
    );
  });
}

/**
 * Returns the words of a question that may also be values, and not granularities or connecting words: `yearly`, and
 * `plus` at the start.
 */
export function ambiguousCues(pieces: readonly Piece[]): Extract<Piece, { kind: 'cue' }>[] {
  const cues = pieces.flatMap(piece => (piece.kind === 'cue' ? [piece] : []));
  return cues.filter(({ grain, norm, cue, from, to }) =>
    grain === undefined ? cue === Cue.also && from === 0 && to === 1 : isInterval(norm),
  );
}

/**
 * Requires a choice for words that are both a granularity and a value, such as `yearly` in `yearly subscriptions`,
 * unless the question also names the column of the value. @throws {EarlyOutcome} with a question until it is made.
 */
export function chooseGrains(pieces: readonly Piece[], choices: Choices): readonly Piece[] {
  return pieces.map((piece, index) => {
    if (piece.kind !== 'mention' || piece.to - piece.from > 1) return piece;
    const norm = normalize(piece.text);
    const grain = isInterval(norm) ? grainOf(norm) : undefined;
    const others = pieces.filter((other, at): other is Mention => at !== index && other.kind === 'mention');
    const isColumn = others.some(other => hasSameMember(other, piece));
    if (grain === undefined || isColumn || piece.targets.some(({ kind }) => kind !== 'value')) return piece;
    const cue: Piece = { kind: 'cue', cue: Cue.grain, norm, grain, from: piece.from, to: piece.to };
    const groups = new Set(others.flatMap(({ targets }) => targets.map(({ member }) => member.joinGroup)));
    const meant = piece.targets.filter(({ member }) => groups.size === 0 || groups.has(member.joinGroup));
    const values = meant.map(({ member }) => ({
      id: member.name,
      label: () => `${member.title}: ${piece.text}`,
      value: piece,
    }));
    const options = [{ id: 'grain', label: () => `by ${grain}`, value: cue }, ...values];
    return choose<Piece>({ choices, key: `grain ${norm}`, about: piece.text }, options);
  });
}

/** Whether a word is the adjective of a granularity: `yearly`. */
function isInterval(norm: string): boolean {
  return /ly$|^annual$/.test(norm);
}

/** Whether a target is a value or a full measure name, such as `open tickets`. */
function isOther(target: Target): boolean {
  return target.kind === 'value' || (target.member.type !== 'time' && target.quality === 1);
}

const timely: ReadonlySet<Cue> = new Set([Cue.grain, Cue.trend]);

/** Resolves ambiguous mentions of date dimensions as values if matching values exist. */
export function preferValues(
  pieces: readonly Piece[],
  dates: readonly Mention[],
  values: readonly DimensionValues[],
): readonly Piece[] {
  const meant = new Map<Piece, Piece>();
  for (const date of dates) {
    const targets = valuesCalled(ownWords(date), values);
    if (targets.length > 0) meant.set(date, { ...date, targets });
  }
  return pieces.map(piece => meant.get(piece) ?? piece);
}

/** Removes the cube's words from a mention: `closed` for `closed tickets`. */
function ownWords({ text, stems, targets }: Mention): Pick<Mention, 'text' | 'stems'> {
  const cube = new Set(stemsOf(targets[0]?.member.cubeTitle ?? ''));
  const places = stems.flatMap((stem, index) => (cube.has(stem) ? [] : [index]));
  const words = text.split(' ');
  return {
    text: places.map(index => words[index]).join(' '),
    stems: places.flatMap(index => stems[index] ?? []),
  };
}

function valuesCalled({ text, stems }: Pick<Mention, 'text' | 'stems'>, values: readonly DimensionValues[]): Target[] {
  return values.flatMap(({ member, byStems }) =>
    (byStems.get(stems.join(' ')) ?? [])
      .filter(value => value.toLowerCase() === text.toLowerCase())
      .map((value): Target => ({ kind: 'value', member, value, isPart: false })),
  );
}
