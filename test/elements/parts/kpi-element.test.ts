import { expect } from '@open-wc/testing';
import '../../../src/elements/parts/kpi/pa-tile-kpi.js';
import type { PaTileKpi } from '../../../src/elements/parts/kpi/kpi-element.js';
import { count, oneNumber, rowSet } from '../fake-session.js';

async function kpi(width: number, value: string): Promise<PaTileKpi> {
  const element = document.createElement('pa-tile-kpi');
  element.style.setProperty('width', `${width}px`);
  element.style.setProperty('height', '90px');
  element.rowSet = rowSet([count], [{ 'flights.count': value }]);
  document.body.append(element);
  await element.updateComplete;
  return element;
}

const figure = (element: PaTileKpi): HTMLElement =>
  element.renderRoot.querySelector<HTMLElement>('.figure') ?? document.createElement('p');

function textWidth(element: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}

describe('<pa-tile-kpi>', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows one formatted number and what it counts', async () => {
    const element = await kpi(300, '1234567');
    expect(figure(element).textContent).to.equal('1,234,567');
    expect(element.renderRoot.querySelector('.label')?.textContent).to.equal('Count');
  });

  it('leaves out what the heading says already', async () => {
    const element = await kpi(300, '1');
    element.label = 'Count of flights';
    await element.updateComplete;
    expect(element.renderRoot.querySelector('.label')).to.equal(null);
  });

  it('shrinks a long figure to its room and never wraps it', async () => {
    for (const value of ['12', '142783', '1234567890', '123456789012345']) {
      const element = await kpi(140, value);
      expect(textWidth(figure(element)), value).to.be.at.most(140);
      expect(figure(element).getClientRects().length).to.equal(1);
    }
  });

  it('shows a sign where there is no number', async () => {
    const element = await kpi(140, '1');
    element.rowSet = rowSet([count], [{ 'flights.count': null }]);
    await element.updateComplete;
    expect(figure(element).textContent).to.equal('∅');
  });

  it('draws nothing until there are rows', async () => {
    const element = await kpi(140, '1');
    element.rowSet = null;
    await element.updateComplete;
    expect(element.renderRoot.querySelector('.figure')).to.equal(null);
    element.rowSet = oneNumber;
    await element.updateComplete;
    expect(figure(element).textContent).to.equal('1,234,567');
  });
});
