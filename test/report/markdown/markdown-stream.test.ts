import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MarkdownNode, readBlocks } from '../../../src/report/markdown/markdown-nodes.js';
import { MarkdownStream } from '../../../src/report/markdown/markdown-stream.js';
import { Lexer } from '../../../src/report/markdown-lexer.js';
import fc, { casesAtDepth } from '../../property.js';
import { documents, longDocuments } from './corpus/documents.js';
import { hostileLinks } from './corpus/hostile.js';
import { changesOf, cutAt, Replay, streamed } from './corpus/replay.js';

const place = fc.double({ min: 0, max: 1, noNaN: true });
const places = fc.array(place, { maxLength: 30 });
const textOf = (node: MarkdownNode): string => {
  if ('children' in node) return joined(node.children);
  return 'text' in node ? node.text : '';
};
const joined = (nodes: readonly MarkdownNode[]): string => nodes.map(textOf).join('');

describe('a text that arrives in pieces', () => {
  it.each(Object.entries(documents))('ends in the tree of the whole after any beginning: %s', (_name, text) => {
    fc.assert(
      fc.property(place, places, (end, cuts) => {
        const beginning = text.slice(0, Math.ceil(end * text.length));
        expect(streamed(cutAt(beginning, cuts))).toEqual(streamed([beginning]));
      }),
      { numRuns: casesAtDepth(text.length > 3_000 ? 5 : 40, 5) },
    );
  });

  it.each(Object.entries(documents).filter(([, text]) => text.length < 3_000))(
    'results in the same tree as the whole text if split within characters: %s',
    (_name, text) => {
      expect(streamed(text.split(''))).toEqual(streamed([text]));
    },
  );

  it('results in the same tree as the whole text for concatenated documents, split anywhere', () => {
    const document = fc.constantFrom(...Object.values(documents).filter(text => text.length < 1_500));
    fc.assert(
      fc.property(fc.array(fc.tuple(document, place, place), { maxLength: 4 }), places, (parts, cuts) => {
        const text = parts
          .map(([part, from, to]) => part.slice(Math.floor(from * part.length), Math.ceil(to * part.length)))
          .join('');
        expect(streamed(cutAt(text, cuts))).toEqual(streamed([text]));
      }),
      { numRuns: casesAtDepth(150) },
    );
  });

  it('results in the same tree as the whole text for any characters', () => {
    const signs = fc.constantFrom(
      ...'ab1 \t\n\n\r|-:*_~`>#+.)[]()!<&\\=$'.split(''),
      '\n\n',
      '    ',
      '[a]',
      '[a]: b\n',
      '```',
      '|-|\n',
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 80 }), places, (all, cuts) => {
        const text = all.join('');
        expect(streamed(cutAt(text, cuts))).toEqual(streamed([text]));
      }),
      { numRuns: casesAtDepth(500) },
    );
  });

  it.each(Object.entries(longDocuments))('ends in the tree of the whole when it is long: %s', (_name, text) => {
    fc.assert(
      fc.property(place, places, (end, cuts) => {
        const beginning = text.slice(0, Math.ceil(end * text.length));
        expect(streamed(cutAt(beginning, cuts))).toEqual(streamed([beginning]));
      }),
      { numRuns: 2 },
    );
  });
});

describe('the settled part', () => {
  const own = ['tableEnds', 'html', 'tooDeep'];
  const short = Object.entries(documents).filter(([name, text]) => text.length < 2_000 && !own.includes(name));
  // Only the lexer retains the last line feed of code that ends with an empty line.
  const even = (node: MarkdownNode): unknown => {
    if (node.type === 'code') return { ...node, children: joined(node.children).replace(/\n+$/, '') };
    return 'children' in node ? { ...node, children: node.children.map(even) } : node;
  };

  it.each(short)('is what the lexer makes of the whole: %s', (_name, text) => {
    const expected = readBlocks(text.replace(/\r\n?/g, '\n'), Object.create(null));
    expect(streamed([text]).map(even)).toEqual(expected.map(even));
  });

  it('grows by a row, an item, or a line of text or code', () => {
    const stream = new MarkdownStream();
    expect(stream.push('one\n\n|a|\n|-|\n|1|\n|2')).toMatchObject({ settled: 1, keep: 2 });
    expect(stream.push('2|\n|3|\n')).toMatchObject({ settled: 0, keep: 2, blocks: [{ type: 'table' }] });
    expect(stream.push('\n- a\n- b\n- c')).toMatchObject({ settled: 1, keep: 1, blocks: [{}, { type: 'list' }] });
    expect(stream.push('\n\n```\nlines\n')).toMatchObject({ settled: 1, keep: 0, blocks: [{}, { type: 'code' }] });
    expect(stream.push(`${'more\n'.repeat(500)}`)).toMatchObject({ settled: 0, keep: 1 });
    expect(stream.push('```\n')).toMatchObject({ settled: 1, keep: 0 });
    expect(stream.end()).toMatchObject({ blocks: [], settled: 0 });
  });

  it('is reopened for a link target that arrives late, in any block', () => {
    const stream = new MarkdownStream();
    const replay = new Replay();
    replay.apply(stream.push('a [x]\n\nb\n\n|[x]|\n|-|\n|[y]|\n\n'));
    expect(JSON.stringify(replay.blocks)).not.toContain('"link"');
    const change = stream.push('[x]: /x\n\n');
    expect(change.reopened.map(([at]) => at)).toEqual([0, 2]);
    replay.apply(change);
    expect(JSON.stringify(replay.blocks).match(/"link"/g)).toHaveLength(2);
    expect(stream.push('[x]: /other\n\n').reopened).toEqual([]);
    expect(stream.push('[y]: /y\n\n').reopened.map(([at]) => at)).toEqual([2]);
  });

  it('is reopened within a list that continues', () => {
    const replay = new Replay();
    const stream = new MarkdownStream();
    for (const piece of ['- [x]\n- b\n', '\n  [x]: /x\n- c\n', '- d\n']) replay.apply(stream.push(piece));
    replay.apply(stream.end());
    expect(replay.blocks).toHaveLength(1);
    expect(replay.blocks[0]).toMatchObject({
      children: [{ children: [{ children: [{ type: 'link' }] }] }, {}, {}, {}],
    });
  });
});

describe('bounds', () => {
  afterEach(() => vi.restoreAllMocks());

  const kinds: Readonly<Record<string, (line: number) => string>> = {
    code: line => (line ? `const a${line} = ${line};\n` : '```\n'),
    table: line => (line === 1 ? '|-|-|\n' : `| ${line} | **b** |\n`),
    list: line => `- item *${line}*\n`,
    paragraph: line => `line **${line}** of a paragraph\n`,
    line: line => `${line} **words** and _words_ `,
    quote: line => `> line **${line}**\n`,
    references: line => `[label ${line}]\n`,
  };

  it.each(Object.entries(kinds))('reads no part of a long %s again and again', (_name, line) => {
    const lex = vi.spyOn(Lexer.prototype, 'lex');
    const inline = vi.spyOn(Lexer.prototype, 'inlineTokens');
    const work = (length: number): number => {
      lex.mockClear();
      inline.mockClear();
      const text = Array.from({ length }, (_, index) => line(index)).join('');
      const stream = new MarkdownStream();
      for (const piece of text.match(/[\s\S]{1,200}/g) ?? []) stream.push(piece);
      stream.end();
      return [...lex.mock.calls, ...inline.mock.calls].reduce((sum, [source]) => sum + source.length, 0);
    };
    const lines = casesAtDepth(2_000, 1_000);
    expect(work(2 * lines)).toBeLessThanOrEqual(2.5 * work(lines));
  });

  it('limit the number of reopened blocks for any number of late link targets', () => {
    const lex = vi.spyOn(Lexer.prototype, 'lex');
    const numbers = Array.from({ length: 3_000 }, (_, index) => index);
    const used = numbers.map(index => `[r${index}] [all]\n\n`).join('');
    const definitions = numbers.map(index => `[r${index}]: /x\n\n`).join('');
    const opened = (pieces: readonly string[]): number[] => {
      const changes = changesOf(pieces);
      expect(Math.max(...changes.map(({ reopened }) => reopened.length))).toBeLessThan(100);
      return changes.flatMap(({ reopened }) => reopened.map(([at]) => at));
    };
    expect(new Set(opened([`${used}[all]: /all\n\n${definitions}`]))).toEqual(new Set(numbers.slice(0, 500)));
    lex.mockClear();
    opened((used + definitions).match(/[\s\S]{1,200}/g) ?? []);
    expect(lex.mock.calls.length).toBeLessThan(15_000);
    const links = JSON.stringify(streamed([used + definitions])).match(/"link"/g);
    expect(links).toHaveLength(500);
    expect(streamed((used + definitions).match(/[\s\S]{1,999}/g) ?? [])).toEqual(streamed([used + definitions]));
  });

  it.each(['one **two words** three ', '**A**: 1, ', '_a_ ', 'x **b c**\n'])(
    'keep every emphasis in %j, repeated a thousand times',
    part => {
      const paragraphs = streamed([part.repeat(1_000)]);
      expect(JSON.stringify(paragraphs).match(/"strong"|"em"/g)).toHaveLength(1_000);
    },
  );

  it('lose nothing of long content', () => {
    for (const text of [
      longDocuments.word ?? '',
      '😀'.repeat(9_000),
      'a\n'.repeat(9_000),
      '```\n'.concat('x y\n'.repeat(9_000)),
    ]) {
      expect(joined(streamed([text])).length).toBeGreaterThanOrEqual(text.trim().length - 4);
    }
    const emoji = streamed(['😀'.repeat(9_000)]).flatMap(node => ('children' in node ? node.children : []));
    expect(emoji.filter(node => !('text' in node) || /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(node.text))).toEqual([]);
  });

  it('truncate an endless text', () => {
    const text = 'word '.repeat(250_000);
    expect(joined(streamed(text.match(/[\s\S]{1,9999}/g) ?? []))).toHaveLength(1_000_001);
  });

  it.each(['> ', '- ', '1. ', '* ', '> - ', '['])('flatten %j repeated 20,000 times', piece => {
    const depth = (nodes: readonly MarkdownNode[]): number =>
      1 + Math.max(0, ...nodes.map(node => ('children' in node ? depth(node.children) : 0)));
    expect(depth(streamed([`${piece.repeat(20_000)}x`]))).toBeLessThan(40);
  });

  it('never produce an unsafe link target', () => {
    const hrefs = (nodes: readonly MarkdownNode[]): string[] =>
      nodes.flatMap(node => [
        ...('href' in node ? [node.href] : []),
        ...('children' in node ? hrefs(node.children) : []),
      ]);
    for (const text of hostileLinks) {
      for (const href of hrefs(streamed([text]))) {
        expect(new URL(href, 'https://page.test').protocol, text).toMatch(/^(https?|mailto):$/);
      }
    }
  });
});
