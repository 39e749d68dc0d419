import { expect } from '@open-wc/testing';
import '../../../../src/elements/parts/html/html-element.js';
import type { Row } from '../../../../src/contract/data.js';
import type { Problem } from '../../../../src/controllers/problem.js';
import type { PaTileHtml } from '../../../../src/elements/parts/html/html-element.js';
import { tokens } from '../../../../src/elements/parts/tokens.styles.js';
import { bypasses } from '../../../report/html/html-corpus.js';
import { eventually } from '../../eventually.js';
import { manyRows, rowSet, snapshot } from '../../fake-session.js';
import { reportPage } from '../tile/tile-page.js';

interface Drawn {
  readonly element: PaTileHtml;
  readonly failures: Problem[];
  readonly content: HTMLElement;
}

async function html(spec: string | Record<string, unknown>, rows = manyRows(3)): Promise<Drawn> {
  const root = document.createElement('div');
  const shadow = root.attachShadow({ mode: 'open' });
  if (tokens.styleSheet) shadow.adoptedStyleSheets = [tokens.styleSheet];
  const element = document.createElement('pa-tile-html');
  for (const [name, value] of Object.entries({ width: '400px', height: '200px' }))
    element.style.setProperty(name, value);
  const failures: Problem[] = [];
  let isRendered = false;
  element.onRendered = () => {
    isRendered = true;
  };
  element.onFailed = problem => failures.push(problem);
  element.label = 'Departures';
  element.snapshot = snapshot(1, { kind: 'html', spec });
  element.rowSet = rows;
  shadow.append(element);
  document.body.append(root);
  await eventually(() => isRendered || failures.length > 0, 'it renders or fails');
  const content = element.renderRoot.querySelector<HTMLElement>('.html') ?? document.createElement('div');
  return { element, failures, content };
}

describe('<pa-tile-html>', () => {
  afterEach(() => document.body.replaceChildren());

  it('is centered in a tile without a heading, and starts below a heading', async () => {
    const { tile } = await reportPage({ snapshot: snapshot(1, { kind: 'html', spec: '<p>Words</p>' }) });
    const offset = (): number => {
      const words = tile.renderRoot.querySelector('pa-tile-html')?.renderRoot.querySelector('.html');
      const [inner, outer] = [words, tile.renderRoot.querySelector('.body')].map(
        element => element?.getBoundingClientRect() ?? new DOMRect(),
      );
      return inner && outer ? inner.top - outer.top - (outer.height - inner.height) / 2 : Number.NaN;
    };
    await eventually(() => offset() < -20, 'it starts below the heading');
    tile.bare = true;
    await eventually(() => Math.abs(offset()) < 1, 'it is centered');
  });

  it('renders a paragraph in the direction of its text, aligned with a right-to-left page', async () => {
    document.body.dir = 'rtl';
    const { content, element } = await html('<p>12 flights left.</p>');
    const text = content.querySelector('p')?.firstChild;
    if (!text) throw new Error('no paragraph');
    const rectOf = (start: number): DOMRect => {
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, start + 1);
      return range.getBoundingClientRect();
    };
    const [first, last] = [rectOf(0), rectOf('12 flights left'.length)];
    const { right } = element.getBoundingClientRect();
    document.body.removeAttribute('dir');
    expect(first.left).to.be.lessThan(last.left);
    expect(right - last.right).to.be.lessThan(4);
  });

  it('renders its template with rows, in a separate shadow root', async () => {
    const { content, element } = await html(
      '<h1>Carriers</h1><ul><li data-each-row class="row" style="color: rgb(1, 2, 3)">{{flights.carrier}}: <b>{{flights.count}}</b></li></ul>',
    );
    expect([...content.querySelectorAll('li')].map(item => item.textContent)).to.eql([
      'Carrier 0: 0',
      'Carrier 1: 1,000',
      'Carrier 2: 2,000',
    ]);
    expect(getComputedStyle(content.querySelector('li') ?? content).color).to.equal('rgb(1, 2, 3)');
    expect(content.querySelector('h4')?.textContent).to.equal('Carriers');
    expect(document.querySelector('h4')).to.equal(null);
    await expect(element).to.be.accessible();
  });

  it('opens links in a new tab without a referrer', async () => {
    const { content } = await html('<a href="https://example.test/a" target=_self rel=opener>there</a>');
    const link = content.querySelector('a');
    expect(link?.target).to.equal('_blank');
    expect(link?.rel).to.equal('noopener noreferrer nofollow');
  });

  it('runs no script, loads no resource and confines unsafe content to its box', async () => {
    const called: string[] = [];
    const listen = (event: Event) => called.push(event.type);
    const alert = window.alert;
    window.alert = () => called.push('alert');
    window.addEventListener('error', listen);
    const fetched = new PerformanceObserver(list => {
      called.push(...list.getEntries().flatMap(({ name }) => (/evil|example\/|onerror/.test(name) ? [name] : [])));
    });
    fetched.observe({ entryTypes: ['resource'] });
    const row: Row = { 'flights.carrier': '<img src=x onerror=alert(1)>', 'flights.count': 'javascript:alert(1)' };
    const rows = rowSet(manyRows(0).columns, [row, row]);
    const { content } = await html(bypasses.map(markup => markup.replaceAll('orders.', 'flights.')).join('\n'), rows);
    const roots = [content];
    for (const markup of bypasses) roots.push((await html(markup, rows)).content);
    for (const root of roots) {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        expect(
          element.getAttributeNames().filter(name => /^on|^id$|^name$|srcset|background|xlink|action/.test(name)),
        ).to.eql([]);
        expect(element).to.be.instanceOf(HTMLElement);
        expect(getComputedStyle(element).position).to.equal('static');
        expect(element.localName).not.to.match(/script|style|iframe|object|embed|form|input|button|svg|math|-/);
      }
    }
    await new Promise(requestAnimationFrame);
    window.alert = alert;
    window.removeEventListener('error', listen);
    fetched.disconnect();
    expect(called).to.eql([]);
  });

  it('scrolls by keyboard if its content overflows', async () => {
    const { element } = await html(`<p>${'many words '.repeat(500)}</p>`);
    await eventually(() => element.getAttribute('tabindex') === '0');
    expect(element.getAttribute('role')).to.equal('group');
    expect(element.getAttribute('aria-label')).to.equal('Departures');
    await expect(element).to.be.accessible();
  });

  it('shows how many rows are rendered', async () => {
    const { element, content } = await html('<p data-each-row>{{flights.carrier}}</p>', manyRows(501));
    expect(content.querySelectorAll('p').length).to.equal(500);
    expect(element.renderRoot.querySelector('.note')?.textContent).to.equal('First 500 of 501 rows');
  });

  it('replaces old rows with new rows', async () => {
    const { element, content } = await html('<p data-each-row>{{flights.carrier}}</p>');
    element.rowSet = manyRows(1);
    await element.updateComplete;
    expect(content.textContent).to.equal('Carrier 0');
  });

  it('reports an empty template', async () => {
    const { failures } = await html({ text: 'x' });
    expect(failures[0]?.kind).to.equal('drawing');
    expect(failures[0]?.message).to.contain('"html"');
  });
});
