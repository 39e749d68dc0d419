import type { Choice, Outcome, Refusal } from '../reading/outcome.js';
import { languageNames } from '../vocabulary/languages.js';
import { plainText } from './markdown.js';

const self =
  'I am the built-in analyst. I work without a language model: I translate your question into a query of the data model, run it, ' +
  'and show the query and its result.';

/** Returns an introduction with the supported kinds of questions. */
export function helpText(examples: readonly string[]): string {
  return [
    self,
    'You can ask for totals, breakdowns, trends, top lists, shares and comparisons of two periods, and ask follow-up questions (“and by month?”).',
    ...exampleLines(examples),
  ].join('\n\n');
}

function exampleLines(examples: readonly string[]): string[] {
  if (examples.length === 0) return [];
  return [
    `For example:\n\n${examples
      .slice(0, 4)
      .map(example => `- ${plainText(example, 200)}`)
      .join('\n')}`,
  ];
}

const reasons: Readonly<Record<Exclude<Refusal['reason'], 'unknown' | 'impossible'>, string>> = {
  writes: 'I can only read data. I can’t change, delete or send anything.',
  sql: 'I don’t run SQL. Ask in words, and I will run the matching query of the data model.',
  others: 'I can only show data that you have access to.',
  predicts: 'I don’t forecast. I can show existing data, for example as a trend by month.',
  causes:
    'I can’t explain causes, because the data doesn’t contain them. ' +
    'I can break down a measure or compare two periods, which may help you find a cause.',
  instructs: 'I only answer questions about the data, and follow no other instructions.',
  language: `I understand questions in ${languageNames}. Names come from the data model.`,
  'too long': 'Your question is too long. Please ask in one or two sentences.',
  images: 'I can’t look at images. Please ask in words.',
  'empty model': 'You have no access to any data here, so I can’t answer questions.',
};

const withoutExamples: ReadonlySet<Refusal['reason']> = new Set([
  'unknown',
  'impossible',
  'predicts',
  'causes',
  'empty model',
]);

/** Whether to list example questions. They are omitted if the question was almost answerable. */
export function showsExamples({ reason }: Refusal): boolean {
  return !withoutExamples.has(reason);
}

/** Explains why a question is not answered and suggests alternatives. */
export function refusalText(refusal: Refusal, examples: readonly string[]): string {
  if (refusal.reason === 'unknown') {
    const words = quoted(refusal.words, 'or');
    const near = refusal.near.length > 0 ? ` Closest: ${refusal.near.map(title => plainText(title)).join(', ')}.` : '';
    return `I don’t know what ${words} means in this data, so I don’t show a result that could be wrong.${near}`;
  }
  if (refusal.reason === 'impossible') {
    const near =
      refusal.near.length > 0 ? ` Available: ${refusal.near.map(title => plainText(title)).join(', ')}.` : '';
    return `${plainText(refusal.what, 300)}${near}`;
  }
  return [reasons[refusal.reason], ...exampleLines(examples.slice(0, 2))].join('\n\n');
}

/** Returns a clarifying question about several meanings. */
export function askText({ about, choices, ignored }: Extract<Outcome, { kind: 'ask' }>): string {
  const what = plainText(about);
  if (ignored)
    return `I did not understand ${quoted(ignored, 'and')}. Without that, I would show: ${boldLabel(choices[0])}. Answer “yes” to see it, or rephrase your question.`;
  if (choices.length === 0) return `${what} Please ask again with a grouping, for example “by …”.`;
  if (choices.length === 1)
    return `By “${what}”, do you mean ${boldLabel(choices[0])}? Answer “yes”, or rephrase your question.`;
  const list = choices.map((choice, index) => `${index + 1}. ${boldLabel(choice)}`).join('\n');
  return `“${what}” has more than one meaning. Do you mean\n\n${list}\n\nAnswer with a number or a name.`;
}

function boldLabel(choice: Choice | undefined): string {
  return `**${plainText(choice?.label ?? '')}**`;
}

function quoted(words: readonly string[], joint: string): string {
  return words.map(word => `“${plainText(word)}”`).join(` ${joint} `);
}
