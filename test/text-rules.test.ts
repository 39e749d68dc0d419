import { expect, it } from 'vitest';
import { textProblems } from './text-rules.js';

it.each([
  ['src/a.ts', '// Whoever waits is told of it.', ['Whoever', 'told']],
  ['src/a.ts', '/**\n * One line.\n * Rows are drawn anew.\n */\nconst rows = 1;', ['anew']],
  ['src/a.ts', "throw new Error('The value stands in no column.');", ['stands']],
  ['src/a.ts', `const text = \`\${name} goes on\`;`, ['goes on']],
  ['src/a.ts', 'const mostRows = 3;', ['mostRows']],
  ['src/a.ts', 'function f(longestName: string) {}', ['longestName']],
  ['test/a.test.ts', "it('asks whoever is there', () => {});", ['whoever', 'asks']],
  ['docs/a.md', 'It is kept in the place of the other.', ['in the place of', 'kept']],
  ['src/a.ts', '// Joins the texts of a sub-select.', ['sub-select', 'texts']],
])('rejects the phrases of %s: %s', (path, source, found) => {
  expect(
    textProblems(path, source)
      .map(problem => problem.found)
      .sort(),
  ).toEqual(found.toSorted());
});

it('returns the line and what to write', () => {
  const source = 'const a = 1;\n\n/*\n Nobody reads it.\n*/';
  expect(textProblems('src/a.ts', source)).toEqual([
    { line: 4, found: 'Nobody', instead: 'the caller, no caller, the viewer' },
  ]);
});

it.each([
  ['src/a.ts', '// Quotes `what is there` and "told".'],
  ['src/a.ts', "const key = 'told';"],
  ['src/a.ts', '// The letter m stands for minutes.'],
  ['test/a.test.ts', "ask('who is told what stands out?');"],
  ['docs/a.md', '```sql\n-- told\n```\nThe `told` column.'],
])('accepts %s: %s', (path, source) => {
  expect(textProblems(path, source)).toEqual([]);
});
