import type { MarkdownNode } from '../../../../src/report/markdown/markdown-nodes.js';
import { type MarkdownChange, MarkdownStream } from '../../../../src/report/markdown/markdown-stream.js';

/** Applies a change to a tree, as a view applies it to its elements. */
export class Replay {
  readonly blocks: MarkdownNode[] = [];
  #place = 0;
  #kept = 0;

  apply({ blocks, settled, keep, reopened }: MarkdownChange): void {
    const open = this.blocks[this.#place];
    const [first, ...rest] = structuredClone(blocks);
    this.blocks.length = this.#place;
    if (first && open && this.#kept && 'children' in open && 'children' in first) {
      open.children.splice(this.#kept, Number.POSITIVE_INFINITY, ...first.children);
      this.blocks.push(open, ...rest);
    } else if (first) {
      this.blocks.push(first, ...rest);
    }
    for (const [place, block] of reopened) this.blocks[place] = structuredClone(block);
    this.#kept = keep + (settled === 0 ? this.#kept : 0);
    this.#place += settled;
  }
}

/** Returns all changes to the tree while the text arrives in pieces. */
export function changesOf(pieces: readonly string[]): MarkdownChange[] {
  const stream = new MarkdownStream();
  const changes = pieces.map(piece => stream.push(piece));
  changes.push(stream.end());
  while (changes.at(-1)?.isBehind) changes.push(stream.push(''));
  return changes;
}

/** Returns the tree after the text arrived in pieces. */
export function streamed(pieces: readonly string[]): MarkdownNode[] {
  const replay = new Replay();
  for (const change of changesOf(pieces)) replay.apply(change);
  return replay.blocks;
}

/** Splits the text at relative positions between 0 and 1. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = places.map(place => Math.floor(place * text.length)).sort((a, b) => a - b);
  return [...cuts, text.length].map((cut, index) => text.slice(cuts[index - 1] ?? 0, cut));
}
