import { expect } from '@open-wc/testing';
import '../../../src/elements/parts/map/pa-tile-map.js';
import type { Row } from '../../../src/contract/data.js';
import type { Column } from '../../../src/contract/row-set.js';
import type { Problem } from '../../../src/controllers/problem.js';
import type { PaTileMap } from '../../../src/elements/parts/map/map-element.js';
import { tokens } from '../../../src/elements/parts/tokens.styles.js';
import type { Pick } from '../../../src/report/mark.js';
import { count, rowSet, snapshot } from '../fake-session.js';
import { soon } from '../soon.js';

const dimension = (member: string, type = 'string'): Column => ({
  member,
  kind: 'dimension',
  annotation: { title: member, shortTitle: member, type },
});
const state = dimension('flights.state');
const states: readonly Row[] = [
  { 'flights.state': 'TX', 'flights.count': '132000' },
  { 'flights.state': 'California', 'flights.count': '90000' },
  { 'flights.state': '36', 'flights.count': '40000' },
];

interface Drawn {
  readonly element: PaTileMap;
  readonly failures: Problem[];
  readonly picks: Pick[];
}

async function map(spec: Record<string, unknown>, columns: readonly Column[], rows: readonly Row[]): Promise<Drawn> {
  const root = document.createElement('div');
  const shadow = root.attachShadow({ mode: 'open' });
  if (tokens.styleSheet) shadow.adoptedStyleSheets = [tokens.styleSheet];
  const element = document.createElement('pa-tile-map');
  for (const [name, value] of Object.entries({ position: 'relative', width: '600px', height: '400px' })) {
    element.style.setProperty(name, value);
  }
  const failures: Problem[] = [];
  const picks: Pick[] = [];
  let drawn = false;
  element.onDrawn = () => {
    drawn = true;
  };
  element.onFailed = problem => failures.push(problem);
  element.onPick = pick => picks.push(pick);
  element.label = 'Departures';
  element.snapshot = snapshot(1, { kind: 'map', spec });
  shadow.append(element);
  document.body.append(root);
  await element.updateComplete;
  element.rowSet = rowSet(columns, rows);
  await soon(() => drawn || failures.length > 0, 'the map is drawn or fails');
  return { element, failures, picks };
}

const marks = (element: PaTileMap): SVGElement[] => [...element.renderRoot.querySelectorAll<SVGElement>('.mark')];

describe('<pa-tile-map>', () => {
  afterEach(() => document.body.replaceChildren());

  it('colours the states that its rows name, and says so in words', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    expect(marks(element).map(mark => mark.getAttribute('aria-label'))).to.eql([
      'Texas, Count: 132,000',
      'California, Count: 90,000',
      'New York, Count: 40,000',
    ]);
    expect(marks(element).map(mark => mark.getAttribute('class'))).to.eql([
      'mark region step-4',
      'mark region step-2',
      'mark region step-0',
    ]);
    expect(element.renderRoot.querySelector('svg')?.getAttribute('aria-label')).to.equal(
      'Departures. Map of 3 states. Highest: Texas, 132,000. Lowest: New York, 40,000.',
    );
    await expect(element).to.be.accessible();
  });
});
