/** A part of the body of a comment: text, or the external id of a mentioned user. */
export type CommentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'mention'; readonly username: string };

/** A user that the author of a comment selected: the label in the text, and the external id. */
export interface Mention {
  readonly label: string;
  readonly username: string;
}

const mention = /@\[((?:[^\]\\\n]|\\.){1,300})\]/g;

/** Splits the body of a comment into text and mentions (`@[username]`). */
export function commentParts(body: string): readonly CommentPart[] {
  const parts: CommentPart[] = [];
  let end = 0;
  for (const match of body.matchAll(mention)) {
    if (match.index > end) parts.push({ type: 'text', text: body.slice(end, match.index) });
    parts.push({ type: 'mention', username: (match[1] ?? '').replace(/\\(.)/g, '$1') });
    end = match.index + match[0].length;
  }
  if (end < body.length) parts.push({ type: 'text', text: body.slice(end) });
  return parts;
}

/** Returns the text that the author edits, in which a mention is an at sign and the label of the user. */
export function editableText(body: string, labelOf: (username: string) => string): string {
  return commentParts(body)
    .map(part => (part.type === 'text' ? part.text : `@${labelOf(part.username)}`))
    .join('');
}

/** Returns the body for a text in which these users are mentioned by their labels. */
export function commentBody(text: string, mentions: readonly Mention[]): string {
  if (mentions.length === 0) return text;
  const byLabel = new Map(mentions.map(({ label, username }) => [label, username]));
  const labels = [...byLabel.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp);
  const labeled = new RegExp(`@(${labels.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  return text.replace(labeled, (found, label: string) => {
    const username = byLabel.get(label);
    return username === undefined ? found : `@[${username.replace(/[\]\\]/g, '\\$&')}]`;
  });
}

/** Returns the partial mention before the caret, without its at sign; `null` if there is none. */
export function mentionQuery(text: string, caret: number): { readonly start: number; readonly search: string } | null {
  const found = /(?:^|[\s(])@([^\s@[\]]{0,60})$/u.exec(text.slice(0, caret));
  const search = found?.[1];
  return search === undefined ? null : { start: caret - search.length - 1, search };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
