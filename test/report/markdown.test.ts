import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../src/report/markdown.js';

const text = (value: string) => ({ type: 'text', text: value });
const paragraph = (...children: object[]) => ({ type: 'paragraph', children });

describe('blocks', () => {
  it('reads headings, paragraphs, rules, quotes and code', () => {
    expect(parseMarkdown('## Hi\n\nthere\n\n---\n\n> quoted\n\n```sql\nselect 1\n```')).toEqual([
      { type: 'heading', depth: 2, children: [text('Hi')] },
      paragraph(text('there')),
      { type: 'hr' },
      { type: 'blockquote', children: [paragraph(text('quoted'))] },
      { type: 'code', text: 'select 1', language: 'sql' },
    ]);
  });

  it('reads lists, with their start and their ticks', () => {
    expect(parseMarkdown('3. a\n4. b\n\n- [x] done\n- [ ] open')).toEqual([
      { type: 'list', ordered: true, start: 3, items: [[paragraph(text('a'))], [paragraph(text('b'))]] },
      {
        type: 'list',
        ordered: false,
        start: 1,
        items: [[paragraph(text('☑ '), text('done'))], [paragraph(text('☐ '), text('open'))]],
      },
    ]);
  });

  it('reads tables', () => {
    expect(parseMarkdown('| a | b |\n|---|--:|\n| 1 | `2` |')).toEqual([
      {
        type: 'table',
        align: [null, 'right'],
        header: [[text('a')], [text('b')]],
        rows: [[[text('1')], [{ type: 'codespan', text: '2' }]]],
      },
    ]);
  });
});

describe('running text', () => {
  it('reads emphasis, breaks, escapes and character references', () => {
    expect(parseMarkdown('**a** *b* ~~c~~  \nR&amp;D &#65; \\*d')).toEqual([
      paragraph(
        { type: 'strong', children: [text('a')] },
        text(' '),
        { type: 'em', children: [text('b')] },
        text(' '),
        { type: 'del', children: [text('c')] },
        { type: 'br' },
        text('R&D A '),
        text('*'),
        text('d'),
      ),
    ]);
  });

  it('keeps links that lead to a page or a mailbox', () => {
    expect(parseMarkdown('[a](https://x.test/?p=1&amp;q=2 "tip")')).toEqual([
      paragraph({ type: 'link', href: 'https://x.test/?p=1&q=2', title: 'tip', children: [text('a')] }),
    ]);
  });

  it('shows a dangerous link as its text, an image as its description, HTML as text', () => {
    expect(parseMarkdown('[a](javascript:alert(1)) ![sales](https://x.test/spy.png) <b onclick=x>c</b>')).toEqual([
      paragraph(text('a'), text(' '), text('sales'), text(' '), text('<b onclick=x>'), text('c'), text('</b>')),
    ]);
    expect(parseMarkdown('<script>alert(1)</script>')).toEqual([paragraph(text('<script>alert(1)</script>'))]);
  });
});

describe('bounds', () => {
  it('cuts a text that is too long', () => {
    const words = JSON.stringify(parseMarkdown('word\n\n'.repeat(20_000)));
    expect(words.length).toBeLessThan(700_000);
  });

  it.each(['> ', '- ', '['])('flattens %j repeated 20,000 times', piece => {
    const depth = (value: unknown): number =>
      value && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    expect(depth(parseMarkdown(`${piece.repeat(20_000)}x`))).toBeLessThan(80);
  });

  it('does not look for emphasis in an endless paragraph', () => {
    const endless = '*a_'.repeat(15_000);
    expect(parseMarkdown(endless)).toEqual([paragraph(text(endless))]);
  });
});
