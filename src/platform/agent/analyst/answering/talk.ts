import type { Choice, Outcome, Refusal } from '../reading/outcome.js';
import { plainText } from './markdown.js';

const self =
  'I am the built-in analyst. I work without a language model: I read your question against the data model, run the query that it stands for, ' +
  'and show both.';

/** Returns an introduction with the supported kinds of questions. */
export function helpText(examples: readonly string[]): string {
  return [
    self,
    'You can ask for totals, breakdowns, trends, the top of something, shares, comparisons of two periods, and go on from an answer (“and by month?”).',
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
  sql: 'I don’t run SQL. Ask in words, and I run the query of the data model that they stand for.',
  others: 'I only see the data that you may see, and can’t show those of others.',
  predicts: 'I don’t forecast. I can show what the data hold so far, for example as a trend by month.',
  causes:
    'I can’t tell causes: the figures don’t hold them. I can break a figure down, or compare two periods, so that you can look for one.',
  instructs: 'I answer questions about the data, and follow no other instructions.',
  'too long': 'That is too long for me to read. Please ask in a sentence or two.',
  images: 'I can’t look at images. Please ask in words.',
  'empty model': 'There are no data here that you may see, so there is nothing I could answer.',
};

const withoutExamples: ReadonlySet<Refusal['reason']> = new Set([
  'unknown',
  'impossible',
  'predicts',
  'causes',
  'empty model',
]);

/** Whether to list example questions. They do not help if the question was almost answerable. */
export function showsExamples({ reason }: Refusal): boolean {
  return !withoutExamples.has(reason);
}

/** Explains why a question is not answered and suggests alternatives. */
export function refusalText(refusal: Refusal, examples: readonly string[]): string {
  if (refusal.reason === 'unknown') {
    const words = quoted(refusal.words, 'or');
    const near =
      refusal.near.length > 0
        ? ` The nearest that there is: ${refusal.near.map(title => plainText(title)).join(', ')}.`
        : '';
    return `I don’t know what ${words} is in these data, so I give no figure rather than a wrong one.${near}`;
  }
  if (refusal.reason === 'impossible') {
    const near =
      refusal.near.length > 0 ? ` What there is: ${refusal.near.map(title => plainText(title)).join(', ')}.` : '';
    return `${plainText(refusal.what, 300)}${near}`;
  }
  return [reasons[refusal.reason], ...exampleLines(examples.slice(0, 2))].join('\n\n');
}

/** Returns a clarifying question about several meanings. */
export function askText({ about, choices }: Extract<Outcome, { kind: 'ask' }>): string {
  const what = plainText(about);
  if (choices.length === 0) return `${what} Please ask once more and say it, for example “by …”.`;
  if (choices.length === 1)
    return `By “${what}”, do you mean ${boldLabel(choices[0])}? Say “yes”, or ask in other words.`;
  const list = choices.map((choice, index) => `${index + 1}. ${boldLabel(choice)}`).join('\n');
  return `“${what}” can mean more than one thing. Do you mean\n\n${list}\n\nAnswer with a number or a name.`;
}

function boldLabel(choice: Choice | undefined): string {
  return `**${plainText(choice?.label ?? '')}**`;
}

function quoted(words: readonly string[], joint: string): string {
  return words.map(word => `“${plainText(word)}”`).join(` ${joint} `);
}
