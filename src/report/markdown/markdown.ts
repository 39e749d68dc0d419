import type { MarkdownNode } from './markdown-nodes.js';
import { MarkdownStream } from './markdown-stream.js';

const maxTextLength = 50_000;

/**
 * Parses Markdown (GFM) to a small, closed tree that is rendered without HTML strings. HTML is shown as text. A link to
 * anything but http, https, mailto or a path of the page's origin is shown as its text. Text beyond 50,000 characters
 * is truncated, and nesting beyond 12 levels becomes text.
 */
export function parseMarkdown(text: string): MarkdownNode[] {
  const stream = new MarkdownStream(maxTextLength);
  const { blocks, reopened, isBehind } = stream.end(text);
  const again = new Map(reopened);
  for (let isBehindNow = isBehind; isBehindNow; ) {
    const more = stream.push('');
    for (const [place, block] of more.reopened) again.set(place, block);
    isBehindNow = more.isBehind;
  }
  return blocks.map((block, place) => again.get(place) ?? block);
}
