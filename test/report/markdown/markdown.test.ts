import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../../src/report/markdown/markdown.js';

const text = (value: string) => ({ type: 'text', text: value });
const paragraph = (...children: object[]) => ({ type: 'paragraph', children });
const item = (...children: object[]) => ({ type: 'item', children: [paragraph(...children)] });

describe('blocks', () => {
  it('reads headings, paragraphs, rules, quotes and code', () => {
    expect(parseMarkdown('## Hi\n\nthere\n\n---\n\n> quoted\n\n```sql\nselect 1\n```')).toEqual([
      { type: 'heading', depth: 2, children: [text('Hi')] },
      paragraph(text('there')),
      { type: 'hr' },
      { type: 'blockquote', children: [paragraph(text('quoted'))] },
      { type: 'code', language: 'sql', children: [text('select 1')] },
    ]);
  });

  it('reads lists, with their start and their ticks', () => {
    expect(parseMarkdown('3. a\n4. b\n\n- [x] done\n- [ ] open')).toEqual([
      { type: 'list', ordered: true, start: 3, children: [item(text('a')), item(text('b'))] },
      {
        type: 'list',
        ordered: false,
        start: 0,
        children: [item(text('☑ '), text('done')), item(text('☐ '), text('open'))],
      },
    ]);
  });

  it('reads tables', () => {
    const row = (...children: object[]) => ({ type: 'row', children });
    const cell = (type: string, align: string | null, ...children: object[]) => ({ type, align, children });
    expect(parseMarkdown('| a | b |\n|---|--:|\n| 1 | `2` |')).toEqual([
      {
        type: 'table',
        children: [
          row(cell('head', null, text('a')), cell('head', 'right', text('b'))),
          row(cell('cell', null, text('1')), cell('cell', 'right', { type: 'codespan', text: '2' })),
        ],
      },
    ]);
  });

  it('reads links whose target is defined later', () => {
    const children = [text('a')];
    expect(parseMarkdown('[a]\n\nb\n\n[a]: /x')).toEqual([
      paragraph({ type: 'link', href: '/x', title: null, children }),
      paragraph(text('b')),
    ]);
  });
});

describe('inline content', () => {
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

  it('keeps links to pages and mailboxes', () => {
    expect(parseMarkdown('[a](https://x.test/?p=1&amp;q=2 "tip")')).toEqual([
      paragraph({ type: 'link', href: 'https://x.test/?p=1&q=2', title: 'tip', children: [text('a')] }),
    ]);
  });

  it('shows a dangerous link as its text, HTML as text', () => {
    const image = { type: 'image', src: 'https://x.test/spy.png', text: 'sales' };
    expect(parseMarkdown('[a](javascript:alert(1)) ![sales](https://x.test/spy.png) <b onclick=x>c</b>')).toEqual([
      paragraph(text('a'), text(' '), image, text(' '), text('<b onclick=x>'), text('c'), text('</b>')),
    ]);
    expect(parseMarkdown('<script>alert(1)</script>')).toEqual([paragraph(text('<script>alert(1)</script>'))]);
  });
});

describe('bounds', () => {
  it('truncate text that is too long', () => {
    const words = JSON.stringify(parseMarkdown('word\n\n'.repeat(20_000)));
    expect(words.length).toBeLessThan(700_000);
  });

  it('allow a paragraph of emphasis markers only', () => {
    const paragraphs = parseMarkdown('*a_'.repeat(15_000));
    expect(new Set(paragraphs.map(({ type }) => type))).toEqual(new Set(['paragraph']));
  });
});
