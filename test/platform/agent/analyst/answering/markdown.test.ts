import { expect, it } from 'vitest';
import { plainText } from '../../../../../src/platform/agent/analyst/answering/markdown.js';
import { parseMarkdown } from '../../../../../src/report/markdown/markdown.js';
import fc, { casesAtDepth } from '../../../../property.js';

/** Returns the text of parsed Markdown. Throws if it contains anything but plain paragraphs. */
function textOf(nodes: ReturnType<typeof parseMarkdown>): string {
  return nodes
    .map(node => {
      if (node.type !== 'paragraph') throw new Error(`a ${node.type} was read`);
      return node.children
        .map(inline => {
          if (inline.type === 'text') return inline.text;
          throw new Error(`a ${inline.type} was read`);
        })
        .join('');
    })
    .join('');
}

it.each([
  '**bold** _em_ `code` ~~del~~',
  '[a](https://evil.example) ![b](https://evil.example/x.png)',
  'https://evil.example and www.evil.example and me@evil.example',
  '<img src=x onerror=alert(1)> &lt; &#60;',
  '# no heading',
  '| a | b |',
  '1. no list',
  '- no list',
  '> no quote',
  'line\nbreak\r\n\r\nparagraph',
  '```js\ncode',
  '$x^2$ {a} \\*',
])('renders untrusted text as plain text: %s', text => {
  expect(textOf(parseMarkdown(`In ${plainText(text)} it`))).toBe(`In ${text.replace(/\s+/g, ' ').trim()} it`);
  expect(textOf(parseMarkdown(plainText(text)))).toBe(text.replace(/\s+/g, ' ').trim());
});

it('renders any text as plain text', () => {
  const marks = fc.array(fc.constantFrom(...'*_`[]()<>#+-.!|~&:/@\\ \n1a="\'$^{}www'), { maxLength: 40 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 80 }),
        marks.map(list => list.join('')),
      ),
      text => {
        const expected = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
        expect(textOf(parseMarkdown(`x ${plainText(text)} y`))).toBe(expected === '' ? 'x  y' : `x ${expected} y`);
      },
    ),
    { numRuns: casesAtDepth(2000) },
  );
});

it('limits the length and removes bidirectional control characters', () => {
  expect(plainText('x'.repeat(1000)).length).toBeLessThan(130);
  expect(plainText('a\u202Eb')).toBe('a b');
});
