import { expect } from '@open-wc/testing';
import { markdownStyles } from '../../../../src/elements/parts/markdown/markdown.styles.js';
import { type MarkdownStyle, MarkdownView } from '../../../../src/elements/parts/markdown/markdown-view.js';
import { documents, longDocuments } from '../../../report/markdown/corpus/documents.js';
import { hostileLinks, hostileMarkup } from '../../../report/markdown/corpus/hostile.js';
import { eventually } from '../../eventually.js';
import { withFrozenClock } from '../../frozen-clock.js';

const style: MarkdownStyle = { level: 3, imageOrigins: [], labels: { copy: 'Copy', copied: 'Copied' } };
const drawnTags = new Set(
  'a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table td th tr ul'.split(' '),
);

function box(): HTMLElement {
  const made = document.createElement('div');
  document.body.append(made);
  return made;
}

function renderWhole(text: string, options = style): HTMLElement {
  const container = box();
  const view = new MarkdownView(container, options);
  view.replace(text);
  view.end();
  return container;
}

async function renderLong(text: string): Promise<HTMLElement> {
  const container = box();
  const view = new MarkdownView(container, style);
  view.replace(text);
  await waitForEnd(view);
  return container;
}

/** Ends the text; long text needs several frames. */
async function waitForEnd(view: MarkdownView): Promise<void> {
  view.end();
  await eventually(() => view.isAtRest);
}

/** Renders each piece immediately, instead of one frame each. */
function draw(view: MarkdownView, text: string, size: number): void {
  for (let end = size; end < text.length + size; end += size) view.replace(text.slice(0, end));
}

const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve));

afterEach(() => {
  document.body.replaceChildren();
  Reflect.deleteProperty(window, 'hit');
});

describe('tables', () => {
  const cases = [
    ['rtl', '| Name | Count |\n| :-- | --: |\n| a | 1 |', 'left', 'right'],
    ['ltr', '| اسم | عدد |\n| :-- | --: |\n| أ | 1 |', 'right', 'left'],
  ] as const;
  for (const [dir, text, names, figures] of cases) {
    it(`align their columns by the direction of their text on ${dir} pages`, () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(markdownStyles.cssText);
      document.adoptedStyleSheets.push(sheet);
      const container = renderWhole(text);
      container.className = 'markdown';
      container.dir = dir;
      const cells = [...container.querySelectorAll('th, td')];
      expect(cells.map(cell => getComputedStyle(cell).textAlign)).to.deep.equal([names, figures, names, figures]);
      container.remove();
      document.adoptedStyleSheets.pop();
    });
  }
});

describe('MarkdownView updates', () => {
  for (const [name, text] of Object.entries(documents)) {
    it(`produces the same elements as one full render: ${name}`, async () => {
      const expected = await renderLong(text);
      for (const size of text.length > 3000 ? [997] : [2, 31]) {
        const container = box();
        const view = new MarkdownView(container, style);
        draw(view, text, size);
        await waitForEnd(view);
        expect(container.outerHTML).to.equal(expected.outerHTML);
        expect(container.isEqualNode(expected), 'texts are cut alike').to.equal(true);
      }
    });
  }

  it('keeps the nodes of completed blocks', async () => {
    const container = box();
    const view = new MarkdownView(container, style);
    view.replace('# Head\n\nfirst\n\n| a |\n|---|\n| 1 |\n| 2');
    const head = container.querySelector('h3');
    const first = container.querySelector('p');
    const rows = [...container.querySelectorAll('tr')];
    view.replace('# Head\n\nfirst\n\n| a |\n|---|\n| 1 |\n| 2');
    view.append('2 |\n| 3 |\n\n- x\n');
    await nextFrame();
    view.append('- y\n\n```\ncode\n');
    await nextFrame();
    const code = container.querySelector('pre code')?.firstChild;
    const item = container.querySelector('li');
    view.append('more\n');
    await nextFrame();
    view.end();
    expect([...container.children].slice(0, 2)).to.deep.equal([head, first]);
    expect([...container.querySelectorAll('tr')].slice(0, 3)).to.deep.equal(rows);
    expect(container.querySelector('li')).to.equal(item);
    expect(container.querySelector('pre code')?.firstChild).to.equal(code);
    expect(code?.nodeValue).to.equal('code\nmore');
    expect(rows[2]?.textContent).to.equal('22');
  });

  it('changes only the end of a paragraph', async () => {
    const container = box();
    const view = new MarkdownView(container, style);
    view.replace('some **bold** wo');
    const paragraph = container.querySelector('p');
    const nodes = [...(paragraph?.childNodes ?? [])];
    view.append('rds and *more*');
    await nextFrame();
    expect(container.querySelector('p')).to.equal(paragraph);
    expect([...(paragraph?.childNodes ?? [])].slice(0, 3)).to.deep.equal(nodes);
    expect(paragraph?.textContent).to.equal('some bold words and more');
  });

  it('re-renders a completed block for a late link definition, and no other block', () => {
    const container = box();
    const view = new MarkdownView(container, style);
    view.replace('see [it]\n\nother\n\n- a [it]\n- b\n');
    const other = container.children[1];
    view.replace('see [it]\n\nother\n\n- a [it]\n- b\n\n[it]: https://it.test\n\n');
    expect([...container.querySelectorAll('a')].map(({ href }) => href)).to.deep.equal([
      'https://it.test/',
      'https://it.test/',
    ]);
    expect(container.children[1]).to.equal(other);
  });

  it('changes nothing if the text is equal, otherwise only the differences', async () => {
    const container = box();
    const view = new MarkdownView(container, style);
    view.append('one\n\ntwo\n\nthree');
    await nextFrame();
    const [one, two, three] = container.children;
    view.replace('one\n\ntwo\n\nthree');
    expect([...container.children]).to.deep.equal([one, two, three]);
    await withFrozenClock(() => view.replace('one\n\n2\n\nthree\n\nfour'));
    expect(container.children[0]).to.equal(one);
    expect(container.children[1]).not.to.equal(two);
    expect(container.children[2]).to.equal(three);
    view.append(' more');
    view.end();
    expect([...container.children].map(({ textContent }) => textContent)).to.deep.equal([
      'one',
      '2',
      'three',
      'four more',
    ]);
    await withFrozenClock(() => view.replace('1'));
    expect(container.textContent).to.equal('1');
  });
});

describe('MarkdownView frames', () => {
  it('renders once per frame and requests no frame while idle', async () => {
    const container = box();
    const view = new MarkdownView(container, style);
    const original = window.requestAnimationFrame;
    let frames = 0;
    window.requestAnimationFrame = callback => {
      frames++;
      return original(callback);
    };
    for (const letter of 'letters') view.append(letter);
    expect(container.textContent).to.equal('');
    await new Promise(resolve => original(resolve));
    expect(container.textContent).to.equal('letters');
    await new Promise(resolve => original(resolve));
    window.requestAnimationFrame = original;
    expect(frames).to.equal(1);
  });

  it('renders on a hidden page', async () => {
    const container = box();
    const view = new MarkdownView(container, style);
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    view.append('hid');
    Reflect.deleteProperty(document, 'hidden');
    await eventually(() => container.textContent === 'hid');
  });

  it('renders pending text at the end, and nothing after disposal', async () => {
    const container = box();
    const view = new MarkdownView(container, style);
    view.append('at once');
    view.end();
    expect(container.textContent).to.equal('at once');
    const disposed = new MarkdownView(container, style);
    disposed.append('never');
    disposed.dispose();
    await nextFrame();
    await nextFrame();
    expect(container.textContent).to.equal('');
  });
});

describe('MarkdownView content', () => {
  it('copies code and confirms it', async () => {
    const copied: string[] = [];
    const original = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    const button = renderWhole('```sql\nselect 1\n\nfrom x\n```').querySelector('button');
    expect(button?.parentElement?.firstChild?.textContent).to.equal('sql');
    button?.focus();
    button?.click();
    await eventually(() => button?.textContent === 'Copied');
    expect(copied).to.deep.equal(['select 1\n\nfrom x']);
    button?.blur();
    expect(button?.textContent).to.equal('Copy');
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new Error('denied')) },
    });
    button?.click();
    await nextFrame();
    expect(button?.textContent).to.equal('Copy');
    if (original) Object.defineProperty(navigator, 'clipboard', original);
    else Reflect.deleteProperty(navigator, 'clipboard');
  });

  it('is accessible', async () => {
    const container = renderWhole(documents.answer ?? '');
    container.className = 'markdown';
    await expect(container).to.be.accessible();
  });

  it('renders only Markdown elements and links with allowed schemes', async () => {
    const before = performance.getEntriesByType('resource').length;
    for (const text of [...hostileLinks, ...hostileMarkup, ...hostileLinks.map(link => `x ${link} y`)]) {
      const container = box();
      const view = new MarkdownView(container, style);
      draw(view, text, 5);
      view.end();
      for (const made of container.querySelectorAll('*')) {
        expect(drawnTags.has(made.localName), `${made.localName} of ${text}`).to.equal(true);
        const handlers = made.getAttributeNames().filter(name => name.startsWith('on') || name === 'style');
        expect(handlers, text).to.deep.equal([]);
      }
      for (const link of container.querySelectorAll('a')) {
        const { protocol, origin } = new URL(link.href);
        expect(['http:', 'https:', 'mailto:'].includes(protocol), `${link.href} of ${text}`).to.equal(true);
        if (/^[\\/\s]{2}/.test(link.getAttribute('href') ?? '')) expect(origin, text).to.equal(location.origin);
        expect(link.rel).to.equal('noopener noreferrer nofollow');
        expect(link.target).to.equal('_blank');
      }
    }
    await nextFrame();
    expect('hit' in window).to.equal(false);
    expect(performance.getEntriesByType('resource').length).to.equal(before);
  });

  it('shows images from allowed origins', () => {
    const text = `![a](https://no.test/a.png) ![b](${location.origin}/b.png) ![c](//no.test/c.png) ![d](data:image/png,)`;
    const images = [...renderWhole(text, { ...style, imageOrigins: [location.origin] }).querySelectorAll('img')];
    expect(images.map(({ alt }) => alt)).to.deep.equal(['b']);
    expect(images[0]?.loading).to.equal('lazy');
    expect(images[0]?.referrerPolicy).to.equal('no-referrer');
    expect(renderWhole(text).querySelector('img')).to.equal(null);
    expect(renderWhole(text).textContent).to.equal('a b c d');
  });

  it('confines bidi control characters to their link, code or block', () => {
    const container = renderWhole('[\u202eabc](/x) mid `\u202edef` end\n\n- \u202exyz\n- next\n\n\u05d0 rtl');
    container.className = 'markdown';
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(markdownStyles.cssText);
    document.adoptedStyleSheets = [sheet];
    const [link, mid, code, end] = [...(container.firstElementChild?.childNodes ?? [])].map(node => {
      const range = document.createRange();
      range.selectNode(node);
      return range.getBoundingClientRect();
    });
    document.adoptedStyleSheets = [];
    const rights = [link, mid, code, end].map(rect => rect?.right ?? 0);
    expect(rights).to.deep.equal([...rights].sort((a, b) => a - b));
    expect(container.querySelector('li + li')?.matches(':dir(ltr)')).to.equal(true);
    expect(container.lastElementChild?.matches(':dir(rtl)')).to.equal(true);
  });
});

describe('MarkdownView long text', () => {
  for (const [name, text] of Object.entries(longDocuments)) {
    it(`renders long text like one full render: ${name}`, async () => {
      const container = box();
      const view = new MarkdownView(container, style);
      draw(view, text, Math.ceil(text.length / 9));
      await waitForEnd(view);
      expect(container.isEqualNode(await renderLong(text))).to.equal(true);
    });
  }

  it('renders long text over several frames and stops on disposal', async () => {
    const text = documents.answer?.repeat(200) ?? '';
    const container = box();
    const view = new MarkdownView(container, style);
    view.replace(text);
    view.end();
    expect(view.isAtRest).to.equal(false);
    view.dispose();
    const drawn = container.childNodes.length;
    await nextFrame();
    await nextFrame();
    expect(container.childNodes.length).to.equal(drawn);
    view.replace(text);
    await eventually(() => view.isAtRest);
    expect(container.isEqualNode(await renderLong(text))).to.equal(true);
  });

  it('shows the previous text until new long text is rendered, and preserves equal nodes', async () => {
    const text = documents.answer?.repeat(200) ?? '';
    const container = await renderLong(`same\n\none\n\n${text}`);
    const view = new MarkdownView(container, style);
    view.replace(`same\n\none\n\n${text}`);
    await eventually(() => view.isAtRest);
    const [same, one] = container.children;
    const shown = container.childNodes.length;
    view.replace(`same\n\nother\n\n${text}more`);
    view.append('\n\nand more');
    expect(container.childNodes.length).to.equal(shown);
    await waitForEnd(view);
    expect(container.children[0]).to.equal(same);
    expect(container.children[1]).not.to.equal(one);
    expect(container.isEqualNode(await renderLong(`same\n\nother\n\n${text}more\n\nand more`))).to.equal(true);
  });
});
