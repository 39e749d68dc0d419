import { ContextProvider } from '@lit/context';
import { expect } from '@open-wc/testing';
import '../../../../src/elements/parts/kpi/kpi-element.js';
import type { Row } from '../../../../src/contract/data.js';
import type { Column } from '../../../../src/contract/row-set.js';
import type { Problem } from '../../../../src/controllers/problem.js';
import { pageCatalog } from '../../../../src/elements/messages/page-catalog.js';
import type { PaTileKpi } from '../../../../src/elements/parts/kpi/kpi-element.js';
import { tokens } from '../../../../src/elements/parts/tokens.styles.js';
import type { Pick } from '../../../../src/report/marks/mark.js';
import { eventually } from '../../eventually.js';
import { count, oneNumber, rowSet, snapshot } from '../../fake-session.js';

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

  it('shows one formatted number and its measure', async () => {
    const element = await kpi(300, '1234567');
    expect(figure(element).textContent).to.equal('1,234,567');
    expect(element.renderRoot.querySelector('.label')?.textContent).to.equal('Count');
  });

  it('omits the measure if the heading names it', async () => {
    const element = await kpi(300, '1');
    element.label = 'Count of flights';
    await element.updateComplete;
    expect(element.renderRoot.querySelector('.label')).to.equal(null);
  });

  it('shrinks a long figure to fit without wrapping', async () => {
    for (const value of ['12', '142783', '1234567890', '123456789012345']) {
      const element = await kpi(140, value);
      expect(textWidth(figure(element)), value).to.be.at.most(140);
      expect(figure(element).getClientRects().length).to.equal(1);
    }
  });

  it('is centered in its tile, unless other tiles in the row show more than a figure', async () => {
    const element = await kpi(300, '12');
    element.label = 'Count';
    await element.updateComplete;
    const top = () => figure(element).getBoundingClientRect().top - element.getBoundingClientRect().top;
    expect(top()).to.be.closeTo((90 - figure(element).getBoundingClientRect().height) / 2, 1);
    element.style.setProperty('--_row-figure-place', 'normal');
    expect(top()).to.equal(0);
  });

  it('shows a placeholder for a missing number', async () => {
    const element = await kpi(140, '1');
    element.rowSet = rowSet([count], [{ 'flights.count': null }]);
    await element.updateComplete;
    expect(figure(element).textContent).to.equal('∅');
  });

  it('renders nothing without rows', async () => {
    const element = await kpi(140, '1');
    element.rowSet = null;
    await element.updateComplete;
    expect(element.renderRoot.querySelector('.figure')).to.equal(null);
    element.rowSet = oneNumber;
    await element.updateComplete;
    expect(figure(element).textContent).to.equal('1,234,567');
  });

  it('stays on one line at any length, and is cut as a last resort', async () => {
    const element = await kpi(80, '9'.repeat(60));
    expect(figure(element).getBoundingClientRect().width).to.be.at.most(80);
    expect(getComputedStyle(figure(element)).textOverflow).to.equal('ellipsis');
    expect(figure(element).title).to.contain('999,999');
  });
});

const before: Column = {
  ...count,
  member: 'flights.count_before',
  comparison: { measure: 'flights.count', amount: 1, unit: 'month', output: 'value' },
};
const time: Column = {
  member: 'flights.at.month',
  kind: 'timeDimension',
  annotation: { title: 'Month', shortTitle: 'Month', type: 'time' },
};

interface Shown {
  readonly element: PaTileKpi;
  readonly picks: Pick[];
  readonly failures: Problem[];
}

async function renderKpi(
  spec: Record<string, unknown>,
  columns: readonly Column[],
  rows: readonly Row[],
  lang = 'en',
): Promise<Shown> {
  const root = document.createElement('div');
  new ContextProvider(root, {
    context: pageCatalog.context,
    initialValue: { locale: lang, messages: pageCatalog.fallback.messages },
  });
  const shadow = root.attachShadow({ mode: 'open' });
  if (tokens.styleSheet) shadow.adoptedStyleSheets = [tokens.styleSheet];
  const element = document.createElement('pa-tile-kpi');
  for (const [name, value] of Object.entries({ width: '300px', height: '140px' }))
    element.style.setProperty(name, value);
  const picks: Pick[] = [];
  const failures: Problem[] = [];
  element.onPick = pick => picks.push(pick);
  element.onFailed = problem => failures.push(problem);
  element.label = 'Departures';
  element.snapshot = snapshot(1, { spec });
  element.rowSet = rowSet(columns, rows);
  shadow.append(element);
  document.body.append(root);
  await element.updateComplete;
  return { element, picks, failures };
}

const text = (element: PaTileKpi, selector: string): string =>
  (element.renderRoot.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe('<pa-tile-kpi> with comparison, target or sparkline', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows the change as arrow, sign and text', async () => {
    const { element } = await renderKpi(
      { display: 'comparison' },
      [count, before],
      [{ 'flights.count': '958', 'flights.count_before': '1000' }],
    );
    expect(text(element, '.change')).to.equal('\u22124.2% vs previous month (worse)');
    expect(element.renderRoot.querySelector('.amount')?.classList.contains('bad')).to.equal(true);
    expect(element.renderRoot.querySelectorAll('.amount svg path').length).to.equal(1);
    await expect(element).to.be.accessible();
  });

  it('sets the color and shape of the arrow depending on whether more is better', async () => {
    const rows = [{ 'flights.count': '1100', 'flights.count_before': '1000' }];
    const renderArrow = async (better: string) => {
      const { element } = await renderKpi({ display: 'comparison', better }, [count, before], rows);
      const path = element.renderRoot.querySelector('.amount path') ?? element;
      return {
        shape: path.getAttribute('d'),
        fill: getComputedStyle(path).fill,
        color: getComputedStyle(path.parentElement ?? path).color,
      };
    };
    const [more, less, neither] = [await renderArrow('more'), await renderArrow('less'), await renderArrow('neither')];
    expect(new Set([more.shape, less.shape, neither.shape]).size).to.equal(3);
    expect(new Set([more.color, less.color, neither.color]).size).to.equal(3);
    expect([more.fill, less.fill, neither.fill]).to.eql(['none', less.color, 'none']);
  });

  it('shows a target bar and the progress', async () => {
    const { element } = await renderKpi({ display: 'progress', target: 2000 }, [count], [{ 'flights.count': '500' }]);
    const bar = element.renderRoot.querySelector<HTMLElement>('[role=progressbar]');
    expect(bar?.getAttribute('aria-valuenow')).to.equal('25');
    expect(bar?.getAttribute('aria-valuetext')).to.equal('25% of the target (2,000)');
    expect(Number.parseFloat(getComputedStyle(bar ?? element, '::before').inlineSize)).to.be.closeTo(75, 2);
    await expect(element).to.be.accessible();
  });

  it('shows the full change text in a narrow tile if it fits', async () => {
    const rows = [{ 'flights.count': '958', 'flights.count_before': '1000' }];
    const { element } = await renderKpi({ display: 'comparison' }, [count, before], rows);
    element.style.setProperty('width', '126px');
    const change = element.renderRoot.querySelector<HTMLElement>('.change') ?? element;
    for (const words of change.querySelectorAll('span:not(.unseen)')) {
      expect(words.getBoundingClientRect().right, words.textContent ?? '').to.be.at.most(
        element.getBoundingClientRect().right,
      );
    }
    expect(change.scrollHeight).to.be.at.most(change.clientHeight);
    expect(change.getBoundingClientRect().bottom).to.be.at.most(element.getBoundingClientRect().bottom);
    element.style.setProperty('height', '90px');
    expect(getComputedStyle(change).whiteSpace).to.equal('nowrap');
  });

  it('renders a sparkline below', async () => {
    const rows = [1, 2, 3].map(month => ({
      'flights.at.month': `2001-0${month}-01T00:00:00.000`,
      'flights.count': month * 100,
    }));
    const { element } = await renderKpi({ display: 'sparkline' }, [time, count], rows);
    expect(text(element, '.figure')).to.equal('300');
    const line = element.renderRoot.querySelector('.trend');
    expect(line?.getAttribute('aria-label')).to.contain('lowest 100, highest 300');
    expect(line?.getBoundingClientRect().height).to.be.greaterThan(20);
    await expect(element).to.be.accessible();
  });

  it('is a button if it can drill down, and selects its whole measure', async () => {
    const drillable = { ...count, annotation: { ...count.annotation, drillMembers: ['flights.carrier'] } };
    const { element, picks } = await renderKpi({}, [drillable], [{ 'flights.count': '5' }]);
    const button = element.renderRoot.querySelector<HTMLButtonElement>('button.figure');
    expect(button?.getAttribute('aria-label')).to.equal('Count: 5');
    button?.click();
    expect(picks.map(({ mark, intent }) => ({ mark, intent }))).to.eql([
      { mark: { values: {}, measure: 'flights.count' }, intent: 'choose' },
    ]);
    await expect(element).to.be.accessible();
  });

  it('reports a missing column', async () => {
    const { failures } = await renderKpi({ measure: 'flights.nothing' }, [count], [{ 'flights.count': '5' }]);
    expect(failures[0]?.kind).to.equal('drawing');
    expect(failures[0]?.message).to.contain('flights.nothing');
  });

  it('uses the page language', async () => {
    const rows = [{ 'flights.count': '1042', 'flights.count_before': '1000' }];
    const { element } = await renderKpi({ display: 'comparison', better: 'neither' }, [count, before], rows, 'ja');
    await eventually(() => text(element, '.change') === '+4.2% 前月比', 'Japanese words');
  });
});
