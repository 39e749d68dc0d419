import { expect } from '@open-wc/testing';
import '../../../src/elements/report/pa-report.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import type { PaReport } from '../../../src/elements/report/report-element.js';
import { eventually } from '../eventually.js';
import { count, FakeSession, manyRows, provide, rowSet, snapshot } from '../fake-session.js';

const dimensionOf = (member: string) => ({
  member,
  kind: 'dimension' as const,
  annotation: { title: member, shortTitle: member, type: 'string' },
});
const states = rowSet([dimensionOf('flights.state'), count], [{ 'flights.state': 'TX', 'flights.count': '5' }]);
const routes = rowSet(
  [dimensionOf('flights.origin'), dimensionOf('flights.destination'), count],
  [{ 'flights.origin': 'ATL', 'flights.destination': 'LAX', 'flights.count': '5' }],
);

async function report(kind: string, spec: string | Record<string, unknown>, rows: RowSet): Promise<PaReport> {
  const session = new FakeSession();
  session.answers = () => rows;
  session.model = { cubes: [] };
  const element = document.createElement('pa-report');
  for (const [name, value] of Object.entries({ display: 'block', width: '500px', height: '300px' })) {
    element.style.setProperty(name, value);
  }
  element.snapshot = snapshot(1, { kind, spec });
  const provider = provide(session);
  provider.append(element);
  document.body.append(provider);
  await eventually(() => tile(element));
  return element;
}

const tile = (element: PaReport): ShadowRoot | null | undefined =>
  element.renderRoot.querySelector('pa-tile')?.shadowRoot;
const part = (element: PaReport, tag: string): ShadowRoot | null | undefined =>
  tile(element)?.querySelector(tag)?.shadowRoot;

describe('report kind', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders a map', async () => {
    const element = await report('map', { type: 'us-states' }, states);
    await eventually(() => part(element, 'pa-tile-map')?.querySelector('.region'));
    await eventually(() => !tile(element)?.querySelector('.skeleton'), 'the skeleton disappears');
    await expect(element).to.be.accessible();
  });

  it('renders a Sankey diagram', async () => {
    const element = await report('sankey', {}, routes);
    await eventually(() => part(element, 'pa-tile-sankey')?.querySelectorAll('.node').length === 2);
    await eventually(() => !tile(element)?.querySelector('.skeleton'), 'the skeleton disappears');
    await expect(element).to.be.accessible();
  });

  it('renders HTML', async () => {
    const element = await report('html', '<p>{{flights.count}} flights</p>', manyRows(2));
    await eventually(() => part(element, 'pa-tile-html')?.querySelector('p')?.textContent === '0 flights');
    await eventually(() => !tile(element)?.querySelector('.skeleton'), 'the skeleton disappears');
    await expect(element).to.be.accessible();
  });

  it('shows the author why it cannot be rendered', async () => {
    const given: readonly (readonly [string, string | Record<string, unknown>, string])[] = [
      ['map', { type: 'globe' }, 'us-states'],
      ['sankey', { source: 'flights.nothing' }, 'flights.nothing'],
      ['html', { text: '' }, '"html"'],
      ['kpi', { measure: 'flights.nothing' }, 'flights.nothing'],
    ];
    for (const [kind, spec, reason] of given) {
      const element = await report(kind, spec, manyRows(2));
      await eventually(() => tile(element)?.querySelector('details'), `${kind} fails`);
      expect(tile(element)?.querySelector('.title')?.textContent).to.equal('This report can’t be displayed');
      expect(tile(element)?.querySelector('details')?.textContent).to.contain(reason);
      // Remove the report, so that the next one is inside the viewport.
      element.remove();
    }
  });

  const odd = rowSet(
    [dimensionOf('a'), dimensionOf('b'), count],
    [
      { a: null, b: null, 'flights.count': null },
      { a: true, b: 5, 'flights.count': 'NaN' },
      {},
      { a: '__proto__', b: 'constructor', 'flights.count': '1e999' },
    ],
  );
  const specs: readonly (readonly [string, string | Record<string, unknown>])[] = [
    ['map', { type: 'countries' }],
    ['map', { type: 'points', latitude: 'a', longitude: 'b' }],
    ['sankey', {}],
    ['sankey', { nodes: 'shared' }],
    ['html', '<p data-each-row>{{a}} {{b}} {{flights.count}}</p>'],
    ['kpi', { display: 'sparkline' }],
    ['kpi', { display: 'comparison', comparison: 'a' }],
    ['kpi', { display: 'progress', target: 'b' }],
  ];
  for (const [kind, spec] of specs) {
    it(`handles unsuitable rows: ${kind} ${JSON.stringify(spec)}`, async () => {
      const element = await report(kind, spec, odd);
      const findContent = () => part(element, `pa-tile-${kind}`)?.querySelector('svg, .notice, .html > p, .figure');
      await eventually(findContent, `${kind} renders`);
      expect(tile(element)?.querySelector('details')).to.equal(null);
    });
  }
});
