import type { Direction } from '../report/format/locale.js';
import { isRightToLeft } from '../scene/text-fitter.js';

/**
 * Returns the words of a line in visual order, left to right. The characters of right-to-left words are reversed, and
 * so is the order of adjacent right-to-left words; other words between them keep their order.
 */
export function visualWords(text: string, direction: Direction): readonly string[] {
  const words = text.split(/\s+/).filter(Boolean);
  const groups = groupBy(words, isRightToLeft);
  const ordered = groups.map(({ isRtl, items }) => (isRtl ? items.map(visualWord).toReversed() : items));
  return (direction === 'rtl' ? ordered.toReversed() : ordered).flat();
}

/** Reverses a word, except for the digits and Latin letters in it. */
function visualWord(word: string): string {
  const parts = groupBy(Array.from(word), character => !/[\d\p{Script=Latin}]/u.test(character));
  return parts
    .map(({ isRtl, items }) => (isRtl ? items.toReversed() : items).join(''))
    .toReversed()
    .join('');
}

interface Group {
  readonly isRtl: boolean;
  readonly items: string[];
}

/** Groups adjacent items of one direction. */
function groupBy(items: readonly string[], isRtlItem: (item: string) => boolean): Group[] {
  const groups: Group[] = [];
  for (const item of items) {
    const isRtl = isRtlItem(item);
    const last = groups.at(-1);
    if (last?.isRtl === isRtl) last.items.push(item);
    else groups.push({ isRtl, items: [item] });
  }
  return groups;
}
