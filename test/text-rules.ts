import ts from 'typescript';

// The habits of text that `npm run check:text` rejects, in comments, messages, test names, identifiers and Markdown.

interface TextRule {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/** Phrases to reject. Prefer a rule to an exception; to mention a phrase, quote it (`like this`). */
const phrases: readonly TextRule[] = [
  { pattern: /\b(stand|stands|stood|standing)\b(?! (?:for|by)\b|-)/i, instead: 'is, is stored, remains' },
  { pattern: /\b(told|tells?|telling)\b/i, instead: 'report, return, notify, show' },
  { pattern: /\b(asked|asks)\b/i, instead: 'request, query, require' },
  { pattern: /\b(whoever|whomever|somebody|nobody|anybody)\b/i, instead: 'the caller, no caller, the viewer' },
  { pattern: /\bkept\b/i, instead: 'cached, stored, retained, unchanged' },
  { pattern: /\bwhat (?:is|was) (?:there|left)\b/i, instead: 'existing, current, remaining' },
  { pattern: /\bin (?:the|its|their) place(?: of)?\b/i, instead: 'instead of' },
  { pattern: /\banew\b/i, instead: 'again, or a verb with re-' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\b(?:lie|lies)\b/i, instead: 'is' },
  { pattern: /\b(?:goes|go|went|going) on\b/i, instead: 'continue, resume' },
  { pattern: /\b(?:comes?|came) to (?:an|its|the) end\b/i, instead: 'end, complete' },
  { pattern: /\b(?:put together|(?:is|are) made of)\b/i, instead: 'built from, composed of' },
  {
    pattern: /\b(?:an?|no|some|any) (?:[\w-]+ ){1,3}of (?:its|their|one's) own\b/i,
    instead: 'own, separate, automatically',
  },
  { pattern: /\bbeside\b/i, instead: 'next to, in addition to' },
  { pattern: /\bbroken off\b/i, instead: 'aborted, canceled' },
  { pattern: /\bas it stands\b/i, instead: 'unchanged' },
  { pattern: /\bcalled off\b/i, instead: 'canceled' },
  { pattern: /\bhead ?start\b/i, instead: 'preflight, early request' },
  { pattern: /\bpatien(?:t|tly|ce)\b/i, instead: 'poll, wait, timeout' },
  { pattern: /\bis no (?:making|telling|way of)\b/i, instead: 'cannot' },
  { pattern: /\btexts\b/i, instead: 'strings, messages, labels, values, text' },
  { pattern: /\bsub-?selects?\b/i, instead: 'subquery' },
];

/** Names to reject in declarations. */
const names: readonly TextRule[] = [
  { pattern: /^(?:most|fewest)[A-Z]/, instead: 'max… or min…' },
  { pattern: /^(?:longest|shortest)[A-Z]/, instead: 'max…Length, min…Length or min…Ms' },
  { pattern: /^tell[A-Z]/, instead: 'dispatch…Event or a verb that states the effect' },
  {
    pattern: /^(?:told|soon|overTime|patiently|together|whoever|unseen)$/,
    instead: 'a verb or noun that states the effect',
  },
  { pattern: /^patience/i, instead: 'waitTimeoutMs, maxWaitMs' },
  { pattern: /^(?:Kept|Leaver|Leaving|Lane|HeadStart)(?:[A-Z]|$)/, instead: "the field's standard term" },
];

/** A phrase or name to replace. */
export interface TextProblem {
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

/**
 * Finds phrases and names to replace in a file. `path` decides the language: Markdown, or TypeScript and JavaScript.
 */
export function textProblems(path: string, source: string): TextProblem[] {
  return path.endsWith('.md') ? markdownProblems(source) : scriptProblems(path, source);
}

function markdownProblems(source: string): TextProblem[] {
  let isCode = false;
  return source.split('\n').flatMap((text, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(text);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : phraseProblems(text, index + 1);
  });
}

/** Returns one problem per phrase in the text, except in quoted code. */
function phraseProblems(text: string, line: number): TextProblem[] {
  const unquoted = text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”|\bhttps?:\S+/g, '');
  return phrases.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(unquoted) ?? [];
    return found === undefined ? [] : [{ line, found, instead }];
  });
}

function scriptProblems(path: string, source: string): TextProblem[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const problems: TextProblem[] = [];
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const checkText = (text: string, position: number): void => {
    for (const [index, line] of text.split('\n').entries())
      problems.push(...phraseProblems(line, lineOf(position) + index));
  };
  const isTest = path.startsWith('test/');
  const visit = (node: ts.Node): void => {
    // Strings of tests are data, such as questions of users, unless they name a test.
    if (isText(node) && (isTest ? isTestName(node) : isSentence(node.text))) checkText(node.text, node.getStart(file));
    if (ts.isIdentifier(node) && isDeclared(node)) {
      for (const { pattern, instead } of names) {
        if (pattern.test(node.text)) problems.push({ line: lineOf(node.getStart(file)), found: node.text, instead });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { pos, end } of commentsOf(file)) checkText(source.slice(pos, end), pos);
  return problems.sort((one, other) => one.line - other.line);
}

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

/** True for several words, except long lists of words such as those that the analyst ignores in a question. */
function isSentence(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length > 1 && (words.length < 12 || /[.,:;!?]/.test(text));
}

function isTestName(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    /^(?:describe|it|test)\b/.test(parent.expression.getText())
  );
}

function isDeclared({ parent, text }: ts.Identifier): boolean {
  const { name } = parent as { name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) && name.text === text && !ts.isPropertyAccessExpression(parent);
}

/** Comments of a file, each once. */
function commentsOf(file: ts.SourceFile): readonly ts.CommentRange[] {
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(file.text, node.getEnd()) ?? []),
    ]) {
      ranges.set(range.pos, range);
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...ranges.values()];
}
