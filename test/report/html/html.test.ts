import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/contract/data.js';
import { createFormatter } from '../../../src/report/format/format.js';
import {
  type FilledHtml,
  fillHtml,
  type HtmlElementNode,
  type HtmlNode,
  readHtml,
} from '../../../src/report/html/html.js';
import { styleDeclarations, utilityClasses } from '../../../src/report/html/html-rules.js';
import { DrawingError } from '../../../src/report/table/report-columns.js';
import fc, { casesAtDepth } from '../../property.js';
import { columnOf, rowSetOf } from '../fixtures.js';
import { bypasses } from './html-corpus.js';

const columns = [
  columnOf('orders.status', 'string'),
  columnOf('orders.link', 'string'),
  columnOf('orders.css', 'string'),
  columnOf('orders.count', 'number'),
];
const hostile: Row = {
  'orders.status': '<img src=x onerror=alert(1)>',
  'orders.link': 'javascript:alert(1)',
  'orders.css': 'position:fixed;background:url(https://evil.example/a);color:red',
  'orders.count': '1234.5',
};

function fill(html: string, rows: readonly Row[] = [hostile]): FilledHtml {
  return fillHtml(readHtml({ spec: html }), rowSetOf(columns, rows), { formatter: createFormatter('en') });
}

/** Serializes rendered nodes for assertions. */
function print(nodes: readonly HtmlNode[]): string {
  return nodes
    .map(node => {
      if (typeof node === 'string') return node;
      const style = node.style.map(([property, value]) => `${property}:${value}`).join(';');
      const attributes = [...node.attributes, ...(style ? [['style', style] as const] : [])];
      const words = attributes.map(([name, value]) => ` ${name}="${value}"`).join('');
      return `<${node.tag}${words}>${print(node.children)}</${node.tag}>`;
    })
    .join('');
}

function elementsIn(nodes: readonly HtmlNode[]): HtmlElementNode[] {
  return nodes.flatMap(node => (typeof node === 'string' ? [] : [node, ...elementsIn(node.children)]));
}

const tags =
  /^(a|abbr|article|b|bd[io]|blockquote|br|caption|cite|code|col|colgroup|data|d[dlt]|del|details|dfn|div|em|fig(caption|ure)|h[1-6r]|i|img|ins|kbd|li|mark|[ou]l|p|pre|[qsu]|samp|section|small|span|strong|su[bp]|summary|t(able|body|d|foot|h|head|r)|time|var|wbr)$/;
const names =
  /^(aria-hidden|aria-label|alt|class|colspan|datetime|dir|height|href|lang|open|reversed|rowspan|scope|span|src|start|title|type|value|width)$/;

/** Checks rendered nodes against an independent copy of the allowlist. */
function expectHarmless(nodes: readonly HtmlNode[]): void {
  for (const { tag, attributes, style } of elementsIn(nodes)) {
    expect(tag).toMatch(tags);
    for (const [name, value] of attributes) {
      expect(name).toMatch(names);
      if (name === 'href') expect(value).toMatch(/^(https?:|mailto:|(?![/\\]{2}|#)[^:]*$|[^:/?#]*[/?#])/i);
      if (name === 'href') expect(value).not.toMatch(/^[\s\0]*(javascript|data|vbscript|blob|file):/i);
      if (name === 'src') expect(value).toMatch(/^data:image\/(png|jpeg|gif|webp|avif);base64,[\w+/]+=*$/);
      if (name === 'class') for (const one of value.split(' ')) expect(utilityClasses).toContain(one);
    }
    for (const [property, value] of style) {
      expect(property).toMatch(/^[a-z-]+$/);
      expect(property).not.toMatch(
        /^(-|position|inset|top|left|z-index|content|cursor|transform|filter|animation|transition|all$|src)/,
      );
      expect(value).not.toMatch(/url|expression|var\s*\(|attr|image-set|env|[\\'"@!;:{}<>]|\/\*/i);
    }
  }
}

describe('readHtml', () => {
  it('accepts text, an object with "html", and JSON text', () => {
    const drawn = (spec: unknown) =>
      print(
        fillHtml(readHtml({ spec: spec as string }), rowSetOf(columns, []), { formatter: createFormatter('en') }).nodes,
      );
    expect(drawn('<b>x</b>')).toBe('<b>x</b>');
    expect(drawn({ html: '<b>x</b>', other: 1 })).toBe('<b>x</b>');
    expect(drawn('{"html":"<b>x</b>"}')).toBe('<b>x</b>');
  });

  it('reports a missing and an overlong text', () => {
    expect(() => readHtml({})).toThrow(DrawingError);
    expect(() => readHtml({ spec: { html: 5 } })).toThrow(DrawingError);
    expect(() => readHtml({ spec: 'x'.repeat(300_001) })).toThrow(/300000/);
  });
});

describe('HTML of a report', () => {
  it('keeps readable content', () => {
    const html =
      '<h1 class="large evil">A</h1><ul><li>one<li>two</ul><table><tr><th scope=col>x<td colspan=2>y</table>';
    expect(print(fill(html).nodes)).toBe(
      '<h1 class="large">A</h1><ul><li>one</li><li>two</li></ul><table><tr><th scope="col">x</th><td colspan="2">y</td></tr></table>',
    );
  });

  it('drops elements that are not allowed, with or without their content', () => {
    expect(print(fill('<main>a<nav>b</nav></main><font>c</font><form>d<input></form><script>e</script>').nodes)).toBe(
      '<div>a<div>b</div></div>cd',
    );
  });

  it('shows raster images as data URLs only, otherwise their alternative text', () => {
    expect(print(fill('<img src="data:image/png;base64,AAAA" alt="a">').nodes)).toContain('data:image/png');
    expect(print(fill('<p><img src="https://evil.example/a.png" alt="a map"></p>').nodes)).toBe('<p>a map</p>');
    expect(print(fill(`<img src="data:image/png;base64,${'A'.repeat(100_000)}">`).nodes)).toBe('');
  });

  it('renders only allowed elements for known sanitizer bypasses', () => {
    for (const markup of bypasses) {
      const { nodes } = fill(markup);
      expectHarmless(nodes);
      expect(elementsIn(nodes).map(({ tag }) => tag)).not.toContain('script');
    }
  });

  it('renders only allowed elements for any input', () => {
    const piece = fc.oneof(
      fc.constantFrom(...bypasses),
      fc.constantFrom(
        '<div ',
        '<a href=',
        '<p style="',
        '">',
        "'>",
        '/>',
        '</',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '&#',
        '&lt;',
        '{{',
        '}}',
        '<',
      ),
      fc.string({ maxLength: 12 }),
      fc
        .tuple(fc.nat(400), fc.nat(400))
        .map(([from, length]) => bypasses.join('').slice(from * 20, from * 20 + length)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => expectHarmless(fill(pieces.join('')).nodes)),
      { numRuns: casesAtDepth(600) },
    );
  });

  it('is parsed in time for any input', () => {
    for (const markup of [
      '<b>',
      '<div style="',
      '{{',
      '<a href="{{',
      '</p>',
      '<!--',
      '&',
      '<p ',
      '{{ '.repeat(50),
      '<table><td>',
    ]) {
      expect(elementsIn(fill(markup.repeat(Math.floor(250_000 / markup.length))).nodes).length).toBeLessThanOrEqual(
        20_000,
      );
    }
  });
});

describe('columns in HTML', () => {
  it('become formatted text of the first row, and never markup', () => {
    expect(fill('<p>{{ orders.count }}: {{orders.status}}</p>').nodes).toEqual([
      { tag: 'p', attributes: [], style: [], children: ['1,234.5: <img src=x onerror=alert(1)>'] },
    ]);
  });

  it('remain as written if the column does not exist, and become ∅ if the value is missing', () => {
    expect(print(fill('{{orders.nothing}} {{toString}} {{__proto__}}').nodes)).toBe(
      '{{orders.nothing}} {{toString}} {{__proto__}}',
    );
    expect(print(fill('{{orders.count}}', []).nodes)).toBe('∅');
  });

  it('are repeated for each row up to a limit, and only once if repeated elements are nested', () => {
    const rows = Array.from({ length: 700 }, (_, index) => ({ ...hostile, 'orders.count': String(index) }));
    const { nodes, repeated } = fill('<ul><li data-each-row>{{orders.count}}<b data-each-row>!</b></li></ul>', rows);
    expect(repeated).toBe(500);
    expect(elementsIn(nodes).filter(({ tag }) => tag === 'li').length).toBe(500);
    expect(elementsIn(nodes).filter(({ tag }) => tag === 'b').length).toBe(500);
    expect(print(nodes)).toContain('<li>499<b>!</b></li>');
  });

  it('stay below a limit for any repetition', () => {
    const rows = Array.from({ length: 500 }, () => ({ ...hostile, 'orders.status': 'x'.repeat(200_000) }));
    const many = fill(`<div data-each-row>${'<p>x</p>'.repeat(1000)}</div>`, rows);
    expect(many.isCut).toBe(true);
    expect(elementsIn(many.nodes).length).toBeLessThanOrEqual(20_000);
    const long = fill('<p data-each-row>{{orders.status}}</p>', rows);
    expect(long.isCut).toBe(true);
    expect(print(long.nodes).length).toBeLessThan(2_200_000);
  });

  it('can be safe link targets, and are encoded within a URL', () => {
    const row = { ...hostile, 'orders.link': 'https://a.example/?a=1&b=2', 'orders.status': 'a/b?c=javascript:' };
    expect(print(fill('<a href="{{orders.link}}">x</a>', [row]).nodes)).toBe(
      '<a href="https://a.example/?a=1&b=2">x</a>',
    );
    expect(print(fill('<a href="https://b.example/{{orders.status}}">x</a>', [row]).nodes)).toBe(
      '<a href="https://b.example/a%2Fb%3Fc%3Djavascript%3A">x</a>',
    );
    expect(print(fill('<a href="{{orders.link}}">x</a>').nodes)).toBe('<a>x</a>');
    expect(
      print(fill('<a href="java{{orders.status}}">x</a>', [{ ...row, 'orders.status': 'script:alert(1)' }]).nodes),
    ).toBe('<a href="javascript%3Aalert(1)">x</a>');
    expect(
      print(fill('<a href="https://b.example/{{orders.status}}">x</a>', [{ ...row, 'orders.status': '\ud800' }]).nodes),
    ).toBe('<a href="https://b.example/">x</a>');
  });

  it('can set sizes and colors, in declarations that are checked after insertion', () => {
    const row = { ...hostile, 'orders.count': '42', 'orders.css': 'red;position:fixed' };
    expect(print(fill('<div style="width:{{orders.count}}%;color:{{orders.css}}">x</div>', [row]).nodes)).toBe(
      '<div style="width:42%;color:red">x</div>',
    );
  });
});

describe('styleDeclarations', () => {
  it('keeps plain declarations', () => {
    const text =
      'color: #c00; WIDTH:calc(100% - 8px) ;grid-template-columns:repeat(2, minmax(0, 1fr));background:rgb(0 0 0 / 5%)';
    expect(styleDeclarations(text)).toEqual([
      ['color', '#c00'],
      ['width', 'calc(100% - 8px)'],
      ['grid-template-columns', 'repeat(2, minmax(0, 1fr))'],
      ['background', 'rgb(0 0 0 / 5%)'],
    ]);
  });

  it('drops everything else', () => {
    for (const text of [
      '',
      ';;:;',
      'color',
      'color:',
      ':red',
      'position:fixed',
      '--x:1',
      'background:url(x)',
      'color:var(--x)',
      'color:u\\72l(x)',
      'width:1px/**/',
    ]) {
      expect(styleDeclarations(text), text).toEqual([]);
    }
  });
});
