import type { Choice } from '../../../report/controls.js';
import { filterSentence, type Speech } from './sentence.js';

/** What was chosen by the marks of one tile. */
export interface ChosenMarks {
  /** Id of the tile's widget. */
  readonly from: string;
  readonly sentence: string;
}

/** What was chosen by marks, one sentence for each tile: "Carrier is AA, DL". */
export function chosenMarksOf(choices: readonly Choice[], speech: Speech): readonly ChosenMarks[] {
  const byTile = new Map<string, string[]>();
  for (const choice of choices) {
    if (choice.kind !== 'filter' || choice.from === null || !choice.condition) continue;
    const { title, condition, type, told, from } = choice;
    const sentence = told ? speech.words.severalMarks(title) : filterSentence(title, condition, type, speech);
    byTile.set(from, [...(byTile.get(from) ?? []), sentence]);
  }
  const list = new Intl.ListFormat(speech.locale, { type: 'unit', style: 'short' });
  return [...byTile].map(([from, sentences]) => ({ from, sentence: list.format(sentences) }));
}
