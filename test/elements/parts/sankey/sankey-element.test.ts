import { expect } from '@open-wc/testing';
import '../../../../src/elements/parts/sankey/sankey-element.js';
import type { Row } from '../../../../src/contract/data.js';
import type { Column } from '../../../../src/contract/row-set.js';
import type { Problem } from '../../../../src/controllers/problem.js';
import type { PaTileSankey } from '../../../../src/elements/parts/sankey/sankey-element.js';
import { tokens } from '../../../../src/elements/parts/tokens.styles.js';
import type { Pick } from '../../../../src/report/marks/mark.js';
import { eventually } from '../../eventually.js';
import { count, rowSet, snapshot } from '../../fake-session.js';

const dimension = (member: string): Column => ({
  member,
  kind: 'dimension',
  annotation: { title: member, shortTitle: member, type: 'string' },
});
const columns = [dimension('flights.origin'), dimension('flights.destination'), count];
const row = (from: string, to: string, figure: number): Row => ({
  'flights.origin': from,
  'flights.destination': to,
  'flights.count': figure,
});
const rows = [row('ATL', 'LAX', 3000), row('ATL', 'DFW', 1000), row('ORD', 'LAX', 2000)];

interface Drawn {
  readonly element: PaTileSankey;
  readonly picks: Pick[];
  readonly failures: Problem[];
}

async function flows(given: readonly Row[], spec: Record<string, unknown> = {}, of = columns): Promise<Drawn> {
  const root = document.createElement('div');
  const shadow = root.attachShadow({ mode: 'open' });
  if (tokens.styleSheet) shadow.adoptedStyleSheets = [tokens.styleSheet];
  const element = document.createElement('pa-tile-sankey');
  for (const [name, value] of Object.entries({ position: 'relative', width: '500px', height: '300px' })) {
    element.style.setProperty(name, value);
  }
  const picks: Pick[] = [];
  const failures: Problem[] = [];
  let isRendered = false;
  element.onRendered = () => {
    isRendered = true;
  };
  element.onFailed = problem => failures.push(problem);
  element.onPick = pick => picks.push(pick);
  element.label = 'Routes';
  element.snapshot = snapshot(1, { kind: 'sankey', spec });
  element.rowSet = rowSet(of, given);
  shadow.append(element);
  document.body.append(root);
  await eventually(() => isRendered || failures.length > 0, 'flows render or fail');
  return { element, picks, failures };
}

const all = (element: PaTileSankey, selector: string): SVGElement[] => [
  ...element.renderRoot.querySelectorAll<SVGElement>(selector),
];
const labelsOf = (element: PaTileSankey, selector: string): (string | null)[] =>
  all(element, selector).map(mark => mark.getAttribute('aria-label'));
const findMark = (element: PaTileSankey, index: number): SVGElement | undefined =>
  all(element, `[data-mark="${index}"]`)[0];

describe('<pa-tile-sankey>', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders nodes and flows and describes them', async () => {
    const { element } = await flows(rows);
    expect(labelsOf(element, '.node')).to.eql([
      'ATL, Count: 4,000',
      'LAX, Count: 5,000',
      'DFW, Count: 1,000',
      'ORD, Count: 2,000',
    ]);
    expect(labelsOf(element, '.link')).to.have.members([
      'ATL to LAX, Count: 3,000',
      'ATL to DFW, Count: 1,000',
      'ORD to LAX, Count: 2,000',
    ]);
    expect(all(element, '.label').map(label => label.textContent)).to.eql(['ATL', 'LAX', 'DFW', 'ORD']);
    expect(element.renderRoot.querySelector('svg')?.getAttribute('aria-label')).to.equal(
      'Routes. 3 flows. Largest: ATL to LAX, 3,000.',
    );
    await expect(element).to.be.accessible();
  });

  it('moves from nodes to flows by keyboard and selects each', async () => {
    const { element, picks } = await flows(rows);
    findMark(element, 0)?.focus();
    const key = async (name: string) => {
      const target = element.renderRoot instanceof ShadowRoot ? element.renderRoot.activeElement : null;
      target?.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, bubbles: true, composed: true, cancelable: true }),
      );
      await element.updateComplete;
    };
    await key('Enter');
    for (const _ of rows) await key('ArrowDown');
    await key('ArrowDown');
    await key(' ');
    expect(picks.map(({ mark }) => mark.values)).to.eql([
      { 'flights.origin': 'ATL' },
      { 'flights.origin': 'ATL', 'flights.destination': 'LAX' },
    ]);
  });

  it('is not focusable itself', async () => {
    const { element } = await flows(rows);
    const focused = () => (element.renderRoot instanceof ShadowRoot ? element.renderRoot.activeElement : null);
    element.renderRoot.querySelector('svg')?.focus();
    expect(focused()).to.equal(null);
    findMark(element, 0)?.focus();
    expect(focused()).to.equal(findMark(element, 0));
  });

  it('keeps the color of a selection and its flows', async () => {
    const { element } = await flows(rows);
    element.selected = [{ values: { 'flights.origin': 'ATL' }, measure: null }];
    await element.updateComplete;
    const fadedLabels = (selector: string) =>
      all(element, selector).flatMap(mark =>
        mark.classList.contains('faded') ? [mark.getAttribute('aria-label')] : [],
      );
    expect(fadedLabels('.node')).to.eql(['LAX, Count: 5,000', 'DFW, Count: 1,000', 'ORD, Count: 2,000']);
    expect(fadedLabels('.link')).to.eql(['ORD to LAX, Count: 2,000']);
  });

  it('fits its box at any size', async () => {
    const { element } = await flows(rows);
    for (const [width, height] of [
      [200, 90],
      [900, 500],
    ] as const) {
      element.style.setProperty('width', `${width}px`);
      element.style.setProperty('height', `${height}px`);
      await eventually(() => element.renderRoot.querySelector('svg')?.viewBox.baseVal.width === width);
      const box = element.getBoundingClientRect();
      for (const mark of all(element, '.node, .label')) {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        expect(Math.min(left - box.left, top - box.top, box.right - right, box.bottom - bottom)).to.be.at.least(-2);
      }
    }
  });

  it('reports omitted flows', async () => {
    const { element } = await flows([...rows, row('LAX', 'ATL', 1), row('ATL', 'SFO', -4)], { nodes: 'shared' });
    const note = element.renderRoot.querySelector('pa-hint');
    expect(note?.label).to.equal('2 not shown');
    expect(note?.explanation).to.equal(
      '1 row without a value above zero was omitted. 1 flow that closes a cycle was omitted.',
    );
    await expect(element).to.be.accessible();
  });

  it('reports empty and unsuitable rows', async () => {
    const { element } = await flows([row('a', 'b', 0)]);
    expect(element.renderRoot.querySelector('.notice')?.textContent).to.contain('No flows');
    expect(element.renderRoot.querySelector('svg')).to.equal(null);
    const { failures } = await flows([{ 'flights.count': 1 }], {}, [count]);
    expect(failures.map(({ kind }) => kind)).to.eql(['drawing']);
  });

  it('renders names as text', async () => {
    const { element } = await flows([row('<img src=x onerror=alert(1)>', '{{constructor}}', 5)]);
    expect(all(element, 'img').length).to.equal(0);
    expect(labelsOf(element, '.node')).to.eql(['<img src=x onerror=alert(1)>, Count: 5', '{{constructor}}, Count: 5']);
  });

  it('exports a standalone file', async () => {
    const { element } = await flows(rows);
    const file = element.toSvg();
    const parsed = new DOMParser().parseFromString(file, 'image/svg+xml');
    expect(parsed.querySelector('parsererror')).to.equal(null);
    expect(parsed.querySelectorAll('text').length).to.equal(4);
    expect(file).not.to.match(/var\(|color-mix|light-dark|class=|url\(|<!--/);
    expect(parsed.querySelector('path')?.getAttribute('stroke-width')).to.match(/^\d/);
  });
});
