import { Cue } from '../vocabulary/cues.js';
import type { DimensionValues } from '../vocabulary/dimension-values.js';
import { stemsOf } from '../vocabulary/words.js';
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
