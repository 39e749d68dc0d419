import { expect } from '@open-wc/testing';
import '../../../../src/elements/parts/text/text-element.js';
import type { PaTileText } from '../../../../src/elements/parts/text/text-element.js';
import { eventually } from '../../eventually.js';

async function text(markdown: string, height = '200px'): Promise<PaTileText> {
  const element = document.createElement('pa-tile-text');
  element.style.setProperty('height', height);
  element.markdown = markdown;
  document.body.append(element);
  await element.updateComplete;
  return element;
}

describe('<pa-tile-text>', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders Markdown', async () => {
    const element = await text(
      '# Title\n\nOne **two** *three* ~~four~~ `five`\n\n1. six\n2. seven\n\n> eight\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n---\n\n```\ncode\n```',
    );
    for (const tag of ['h3', 'strong', 'em', 'del', 'code', 'ol > li', 'blockquote', 'table', 'hr', 'pre']) {
      expect(element.renderRoot.querySelector(tag), tag).to.exist;
    }
    await expect(element).to.be.accessible();
  });

  it('opens links in a new tab without a referrer', async () => {
    const element = await text('[out](https://example.com)');
    const link = element.renderRoot.querySelector('a');
    expect(link?.target).to.equal('_blank');
    expect(link?.relList.contains('noopener')).to.equal(true);
  });

  it('shows HTML as text and renders no script links', async () => {
    const element = await text(
      '<img src=x onerror="window.hit = true"> [a](javascript:alert(1)) ![b](https://example.com/b.png)',
    );
    expect(element.renderRoot.querySelector('img')).to.equal(null);
    expect(element.renderRoot.querySelector('a')).to.equal(null);
    expect(element.renderRoot.textContent).to.contain('<img src=x');
    expect('hit' in window).to.equal(false);
  });

  it('nests its headings below the dashboard heading', async () => {
    const element = await text('# One\n\n###### Six');
    element.level = 4;
    await element.updateComplete;
    expect(element.renderRoot.querySelector('h4')?.textContent).to.equal('One');
    expect(element.renderRoot.querySelector('h6')?.textContent).to.equal('Six');
  });

  it('scrolls by keyboard if its content overflows', async () => {
    const long = await text('word '.repeat(500), '60px');
    await eventually(() => long.tabIndex === 0);
    const short = await text('word');
    expect(short.hasAttribute('tabindex')).to.equal(false);
  });
});
