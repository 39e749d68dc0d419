/** Documents that are streamed into a chat, about 40 KB each. */
export type DocumentName = 'mixed' | 'code' | 'table' | 'list' | 'paragraph';

const words =
  'flights leave late when the first bank of the morning waits for its crews and every rotation after it carries the minutes on until the last arrival of the evening'.split(
    ' ',
  );

/** Picks words deterministically with a Lehmer generator. */
function picker(seed: number): (count: number) => string {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return words[state % words.length] ?? '';
  };
  return count => Array.from({ length: count }, next).join(' ');
}

function upTo(size: number, piece: (index: number) => string, head = ''): string {
  let text = head;
  for (let index = 0; text.length < size; index++) text += piece(index);
  return text;
}

/** Returns a section with heading, prose with emphasis, code and links, a list, a table and a code block. */
function section(index: number, pick: (count: number) => string): string {
  const rows = Array.from({ length: 6 }, (_, row) => `| ${pick(2)} | **${row * 137 + index}** | ${pick(3)} |`);
  return [
    `## ${index + 1}. ${pick(4)}`,
    `${pick(24)} **${pick(3)}** ${pick(12)} \`${pick(1)}.count\` ${pick(18)} [${pick(2)}](https://example.com/${index}) ${pick(9)}.`,
    `${pick(30)} *${pick(2)}* ${pick(22)}.`,
    Array.from({ length: 5 }, (_, item) => `- ${pick(9)} **${item}** ${pick(5)}`).join('\n'),
    `| airport | flights | note |\n|---|---:|---|\n${rows.join('\n')}`,
    `\`\`\`json\n${JSON.stringify({ measures: ['flights.count'], limit: index }, null, 2)}\n\`\`\``,
    `> ${pick(16)}\n> ${pick(8)}`,
  ].join('\n\n');
}

const makers: Readonly<Record<DocumentName, () => string>> = {
  mixed: () => {
    const pick = picker(7);
    return upTo(40_000, index => `${section(index, pick)}\n\n`);
  },
  code: () => {
    const pick = picker(11);
    return `${upTo(39_000, index => `const line${index} = '${pick(7)}';\n`, '```js\n')}\`\`\`\n`;
  },
  table: () => {
    const pick = picker(13);
    return upTo(
      39_000,
      row => `| ${pick(3)} | ${row} | ${pick(4)} |\n`,
      '| where | how many | why |\n|---|---:|---|\n',
    );
  },
  list: () => {
    const pick = picker(17);
    return upTo(39_000, () => `- ${pick(10)}\n`);
  },
  paragraph: () => {
    const pick = picker(19);
    return upTo(39_000, () => `${pick(12)},\n`);
  },
};

/** Returns one of the documents. */
export function documentOf(name: DocumentName): string {
  return makers[name]();
}

/** Splits the text into `count` pieces of about equal length. */
export function piecesOf(text: string, count: number): string[] {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
