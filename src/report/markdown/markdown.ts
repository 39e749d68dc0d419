import type { MarkdownNode } from './markdown-nodes.js';
import { MarkdownStream } from './markdown-stream.js';

const maxTextLength = 50_000;

/**
 * Reads Markdown (GFM) as a small closed tree that can be drawn without any HTML string. HTML is shown as text, and a link to
 * anything but http, https, mailto or a path of the page's own origin as its text alone. Text beyond 50,000 characters is cut,
 * nesting beyond 12 levels is flattened to text.
 */
export function parseMarkdown(text: string): MarkdownNode[] {
  const stream = new MarkdownStream(maxTextLength);
  const { blocks, reopened, isBehind } = stream.end(text);
  const again = new Map(reopened);
  for (let goesOn = isBehind; goesOn; ) {
    const more = stream.push('');
    for (const [place, block] of more.reopened) again.set(place, block);
    goesOn = more.isBehind;
  }
  return blocks.map((block, place) => again.get(place) ?? block);
}
