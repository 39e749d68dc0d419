import { expect } from '@open-wc/testing';
// Unbundled, Vega-Lite imports all of Vega, which must not overwrite our transforms.
import '../../../../src/charts/vega-lite.js';
import '../../../../src/elements/parts/chart/chart-element.js';
import { ContextProvider } from '@lit/context';
import type { Problem } from '../../../../src/controllers/problem.js';
import { pageCatalog } from '../../../../src/elements/messages/page-catalog.js';
import type { PaTileChart } from '../../../../src/elements/parts/chart/chart-element.js';
import { tokens } from '../../../../src/elements/parts/tokens.styles.js';
import type { Pick } from '../../../../src/report/marks/mark.js';
import { palette, seriesColors } from '../../../../src/report/theme/palette.js';
import { eventually } from '../../eventually.js';
import { manyRows, snapshot } from '../../fake-session.js';

/** A compiled chart with one bar per row. */
const vega = {
  $schema: 'https://vega.github.io/schema/vega/v6.json',
  data: [{ name: 'rows' }],
  scales: [
    { name: 'x', type: 'band', domain: { data: 'rows', field: 'flights\\.carrier' }, range: 'width' },
    { name: 'y', domain: { data: 'rows', field: 'flights\\.count' }, range: 'height' },
  ],
  marks: [
    {
      type: 'rect',
      from: { data: 'rows' },
      encode: {
        enter: {
          x: { scale: 'x', field: 'flights\\.carrier' },
          width: { scale: 'x', band: 1 },
          y: { scale: 'y', field: 'flights\\.count' },
          y2: { scale: 'y', value: 0 },
          tooltip: { signal: "{'Carrier': datum['flights.carrier'], 'Count': datum['flights.count']}" },
        },
      },
    },
  ],
};

interface Drawn {
  readonly element: PaTileChart;
  readonly failures: Problem[];
  readonly root: HTMLElement;
}

async function chart(fields: Record<string, unknown>): Promise<Drawn> {
  const root = document.createElement('div');
  const shadow = root.attachShadow({ mode: 'open' });
  const sheet = tokens.styleSheet;
  if (sheet) shadow.adoptedStyleSheets = [sheet];
  const element = document.createElement('pa-tile-chart');
  for (const [name, value] of Object.entries({ position: 'relative', width: '400px', height: '200px' })) {
    element.style.setProperty(name, value);
  }
  const failures: Problem[] = [];
  let isRendered = false;
  element.onRendered = () => {
    isRendered = true;
  };
  element.onFailed = problem => failures.push(problem);
  element.label = 'Flights';
  element.snapshot = snapshot(1, { kind: 'vega', ...fields });
  shadow.append(element);
  document.body.append(root);
  await element.updateComplete;
  element.rowSet = manyRows(3);
  await eventually(() => isRendered || failures.length > 0, 'the chart renders or fails');
  return { element, failures, root };
}

const rgb = (hex: string): string =>
  `rgb(${[1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const bars = (element: PaTileChart): Element[] => [...element.renderRoot.querySelectorAll('.mark-rect path')];

afterEach(() => document.body.replaceChildren());

describe('<pa-tile-chart> rendering', () => {
  it('renders its rows as one image with a name and a summary', async () => {
    const { element } = await chart({ meta: { vega } });
    expect(bars(element).length).to.equal(3);
    const svg = element.renderRoot.querySelector('svg');
    expect(svg?.getAttribute('role')).to.equal('img');
    expect(svg?.getAttribute('aria-label')).to.equal(
      'Flights. 3 bars, highest Carrier 2 2,000. Carrier: 3 values. Count: 0 to 2,000.',
    );
    await expect(element).to.be.accessible();
  });

  it('updates rows without rebuilding the view', async () => {
    const { element } = await chart({ meta: { vega } });
    const svg = element.renderRoot.querySelector('svg');
    element.rowSet = manyRows(5);
    await eventually(() => bars(element).length === 5);
    expect(element.renderRoot.querySelector('svg')).to.equal(svg);
  });

  it('follows its element size', async () => {
    const { element } = await chart({ meta: { vega } });
    const width = () => Number(element.renderRoot.querySelector('svg')?.getAttribute('width'));
    expect(width()).to.be.closeTo(400, 2);
    element.style.setProperty('width', '250px');
    await eventually(() => Math.abs(width() - 250) < 2);
  });

  it('follows the page colors', async () => {
    document.documentElement.style.setProperty('color-scheme', 'light');
    const lite = {
      data: { name: 'rows' },
      mark: 'bar',
      encoding: {
        x: { field: 'flights.carrier', type: 'nominal' },
        y: { field: 'flights.count', type: 'quantitative' },
      },
    };
    const { element, root } = await chart({ spec: lite });
    const fill = () => bars(element)[0]?.getAttribute('fill');
    expect(fill()).to.match(/#2f6fde|rgb\(47, 111, 222\)/);
    document.documentElement.style.setProperty('color-scheme', 'dark');
    await eventually(() => /#6ea3ff|rgb\(110, 163, 255\)/.test(fill() ?? ''), 'the dark scheme');
    root.style.setProperty('--pa-series-1', 'rgb(1, 2, 3)');
    root.style.setProperty('--pa-text', 'rgb(4, 5, 6)');
    await eventually(() => fill() === 'rgb(1, 2, 3)', 'a token of the host');
    root.style.setProperty('--pa-series-1', 'rgb(7, 8, 9)');
    await eventually(() => fill() === 'rgb(7, 8, 9)', 'a series color only');
    root.style.setProperty('--pa-font', 'monospace');
    const text = () => element.renderRoot.querySelector('.chart svg text');
    await eventually(() => text() && getComputedStyle(text() as Element).fontFamily === 'monospace', 'a font only');
    document.documentElement.style.removeProperty('color-scheme');
  });

  it('uses the full palette in both color schemes', async () => {
    const { element } = await chart({ meta: { vega } });
    const probe = [...element.renderRoot.querySelectorAll('.probe i')];
    for (const scheme of ['light', 'dark'] as const) {
      document.documentElement.style.setProperty('color-scheme', scheme);
      const expected = [palette.muted, palette.line, ...seriesColors].map(color => rgb(color[scheme]));
      const renderedColors = () => probe.map(part => getComputedStyle(part).color).join();
      await eventually(() => renderedColors() === expected.join(), `the ${scheme} scheme`);
    }
    document.documentElement.style.removeProperty('color-scheme');
  });

  it('reports how many of its rows it renders', async () => {
    const { element } = await chart({ meta: { vega } });
    const reports: unknown[] = [];
    element.onDownsampled = thinned => reports.push(thinned);
    const [row = {}] = manyRows(1).rows;
    element.rowSet = { ...manyRows(1), rows: new Array(50_001).fill(row) };
    await eventually(() => reports.length > 0);
    expect(reports[0]).to.deep.include({ shown: 50_000, total: 50_001 });
    element.rowSet = manyRows(2);
    await eventually(() => reports.at(-1) === null);
  });

  it('exports a standalone SVG file', async () => {
    const { element } = await chart({ meta: { vega } });
    expect(await element.toSvg()).to.match(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  it('uses the page language', async () => {
    const { element, root } = await chart({ meta: { vega } });
    const { context, fallback } = pageCatalog;
    const page = new ContextProvider(root, { context, initialValue: fallback });
    root.remove();
    document.body.append(root);
    const summary = () => element.renderRoot.querySelector('svg')?.getAttribute('aria-label');
    for (const [locale, expected] of [
      ['de', '3 Balken, Höchstwert Carrier 2 2.000. Carrier: 3 Werte. Count: 0 bis 2.000.'],
      ['fr', '3 barres'],
      ['es', '3 barras, máximo Carrier 2 '],
      ['ja', '棒 3本'],
      ['ar', 'أعمدة'],
    ] as const) {
      page.setValue({ ...fallback, locale });
      await eventually(() => summary()?.includes(expected), `a summary in ${locale}, after ${summary()}`);
    }
  });

  it('shows the number of omitted legend entries in the page language', async () => {
    const scale = { name: 'color', type: 'ordinal', domain: Array.from({ length: 200 }, (_, index) => `c${index}`) };
    const legends = [{ fill: 'color', symbolLimit: 6 }];
    const { element, root } = await chart({ meta: { vega: { ...vega, scales: [...vega.scales, scale], legends } } });
    const { context, fallback } = pageCatalog;
    const page = new ContextProvider(root, { context, initialValue: fallback });
    root.remove();
    document.body.append(root);
    const last = () => [...element.renderRoot.querySelectorAll('.role-legend-label text')].at(-1)?.textContent;
    for (const [locale, expected] of [
      ['en', '+195 more'],
      ['de', '+195 weitere'],
      ['fr', '+195 autres'],
      ['es', '+195 más'],
      ['ja', '他 195 件'],
      ['ar', 'عنصر'],
    ] as const) {
      page.setValue({ ...fallback, locale });
      await eventually(() => last()?.includes(expected.slice(0, 7)), `a legend in ${locale}, after ${last()}`);
    }
  });

  it('releases the chart on removal and renders it again on return', async () => {
    const { element, root } = await chart({ meta: { vega } });
    root.remove();
    await eventually(() => element.renderRoot.querySelector('svg') === null);
    document.body.append(root);
    await eventually(() => bars(element).length === 3);
  });
});

describe('<pa-tile-chart> tooltip', () => {
  it('shows a tooltip in the top layer', async () => {
    const { element } = await chart({ meta: { vega } });
    const bar = bars(element)[2];
    const { left, top, width, height } = bar?.getBoundingClientRect() ?? new DOMRect();
    const point = { bubbles: true, composed: true, clientX: left + width / 2, clientY: top + height / 2 };
    bar?.dispatchEvent(new PointerEvent('pointermove', point));
    bar?.dispatchEvent(new MouseEvent('mousemove', point));
    const popover = element.renderRoot.querySelector('[popover]');
    await eventually(() => popover?.matches(':popover-open'));
    expect(popover?.textContent).to.contain('Carrier 2');
    expect(popover?.textContent).to.contain('2000');
  });

  it('highlights the line point that the tooltip describes', async () => {
    const spec = {
      mark: 'line',
      encoding: {
        x: { field: 'flights\\.carrier', type: 'nominal' },
        y: { field: 'flights\\.count', type: 'quantitative' },
      },
    };
    const { element } = await chart({ spec });
    const drawing = element.renderRoot.querySelector('svg');
    const { left, top, width, height } = drawing?.getBoundingClientRect() ?? new DOMRect();
    const near = { bubbles: true, composed: true, clientX: left + width / 2, clientY: top + height / 2 };
    drawing?.dispatchEvent(new PointerEvent('pointermove', near));
    const dot = () => element.renderRoot.querySelector('.point');
    await eventually(dot);
    const line = element.renderRoot.querySelector('.mark-line path')?.getBoundingClientRect() ?? new DOMRect();
    const box = dot()?.getBoundingClientRect() ?? new DOMRect();
    expect(box.width).to.equal(13);
    expect(box.left + 6.5).to.be.within(line.left - 1, line.right + 1);
    expect(box.top + 6.5).to.be.within(line.top - 1, line.bottom + 1);
    drawing?.dispatchEvent(new PointerEvent('pointerleave'));
    await eventually(() => !dot());
  });
});

describe('<pa-tile-chart> errors', () => {
  it('reports why a chart cannot be rendered', async () => {
    const { failures } = await chart({ spec: '{' });
    expect(failures.length).to.equal(1);
    expect(failures[0]?.kind).to.equal('drawing');
    expect(failures[0]?.message).to.match(/JSON/);
  });

  it('hides unexpected error messages and does not blame the author', async () => {
    const { element, failures } = await chart({ meta: { vega } });
    const broken = { ...manyRows(1), columns: [] };
    Object.defineProperty(broken, 'columns', {
      get: () => {
        throw new Error('secret of a row');
      },
    });
    element.rowSet = broken;
    await eventually(() => failures.length > 0);
    expect(failures[0]).to.include({ kind: 'failed', message: '' });
  });

  it('reports a chart that fails at another size', async () => {
    const narrow = { type: 'formula', as: 'wide', expr: 'width > 500 ? datum.is.not.there : 1' };
    const { element, failures } = await chart({
      meta: { vega: { ...vega, data: [{ name: 'rows', transform: [narrow] }] } },
    });
    expect(failures).to.eql([]);
    element.style.setProperty('width', '700px');
    await eventually(() => failures.length > 0);
    expect(failures[0]?.message).to.match(/could not be rendered/);
  });
});

describe('<pa-tile-chart> keyboard', () => {
  const press = (element: PaTileChart, key: string, more: KeyboardEventInit = {}): boolean =>
    element.renderRoot
      .querySelector('.chart')
      ?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true, ...more }),
      ) ?? false;

  const announcement = (element: PaTileChart) => element.renderRoot.querySelector('[role=status]')?.textContent?.trim();

  const ring = (element: PaTileChart) => element.renderRoot.querySelector<HTMLElement>('.ring');

  it('moves between marks, announces each and shows a focus ring', async () => {
    const { element } = await chart({ meta: { vega } });
    const container = element.renderRoot.querySelector<HTMLElement>('.chart');
    expect(container?.getAttribute('role')).to.equal('application');
    expect(container?.tabIndex).to.equal(0);
    expect(ring(element)?.hidden).to.equal(true);
    expect(press(element, 'ArrowRight')).to.equal(false);
    await eventually(() => announcement(element) === 'Carrier Carrier 0, Count 0, 1 of 3');
    expect(press(element, 'End')).to.equal(false);
    await eventually(() => announcement(element) === 'Carrier Carrier 2, Count 2,000, 3 of 3');
    const [around, bar] = [ring(element)?.getBoundingClientRect(), bars(element)[2]?.getBoundingClientRect()];
    expect(ring(element)?.hidden).to.equal(false);
    expect(around?.left).to.be.within((bar?.left ?? 0) - 8, bar?.left ?? 0);
    expect(around?.right).to.be.within(bar?.right ?? 0, (bar?.right ?? 0) + 8);
    await expect(element).to.be.accessible();
  });

  it('selects a mark, requests its menu and leaves it', async () => {
    const { element } = await chart({ meta: { vega } });
    const picks: Pick[] = [];
    element.pickable = true;
    element.onPick = pick => picks.push(pick);
    await element.updateComplete;
    await eventually(() => {
      press(element, 'Home');
      return announcement(element) !== '';
    });
    expect(press(element, 'Enter')).to.equal(false);
    expect(press(element, ' ', { shiftKey: true })).to.equal(false);
    expect(press(element, 'F10', { shiftKey: true })).to.equal(false);
    expect(picks.map(({ intent, extend }) => [intent, extend])).to.eql([
      ['choose', false],
      ['choose', true],
      ['menu', false],
    ]);
    expect(picks[0]?.mark).to.eql({ values: { 'flights.carrier': 'Carrier 0' }, measure: 'flights.count' });
    press(element, 'Escape');
    await eventually(() => announcement(element) === '' && ring(element)?.hidden);
    expect(press(element, 'Escape')).to.equal(true);
    expect(press(element, 'Enter')).to.equal(true);
    expect(picks.length).to.equal(3);
  });

  it('leaves the mark on blur and on new rows', async () => {
    const { element } = await chart({ meta: { vega } });
    press(element, 'ArrowRight');
    await eventually(() => ring(element)?.hidden === false);
    element.renderRoot.querySelector('.chart')?.dispatchEvent(new FocusEvent('blur'));
    await eventually(() => ring(element)?.hidden);
    press(element, 'ArrowRight');
    await eventually(() => ring(element)?.hidden === false);
    element.rowSet = manyRows(4);
    await eventually(() => bars(element).length === 4 && ring(element)?.hidden);
  });
});

describe('<pa-tile-chart> mark selection', () => {
  it('shows a pointer cursor on selectable marks', async () => {
    const { element } = await chart({ meta: { vega } });
    const point = { bubbles: true, composed: true };
    const cursor = () => getComputedStyle(bars(element)[0] ?? element).cursor;
    bars(element)[0]?.dispatchEvent(new PointerEvent('pointermove', point));
    expect(cursor()).to.equal('auto');
    let isRendered = false;
    element.onRendered = () => {
      isRendered = true;
    };
    element.pickable = true;
    await eventually(() => isRendered);
    bars(element)[0]?.dispatchEvent(new PointerEvent('pointermove', point));
    expect(cursor()).to.equal('pointer');
    element.renderRoot.querySelector('svg')?.dispatchEvent(new PointerEvent('pointerleave'));
    expect(cursor()).to.equal('auto');
  });

  it('fades unselected marks', async () => {
    const { element } = await chart({ meta: { vega } });
    element.selected = [{ values: { 'flights.carrier': 'Carrier 1' }, measure: null }];
    await eventually(
      () =>
        bars(element)
          .map(bar => bar.getAttribute('opacity'))
          .join() === '0.3,,0.3',
    );
    element.selected = [];
    await eventually(() => bars(element).every(bar => !bar.hasAttribute('opacity')));
  });
});

describe('<pa-tile-chart> brush', () => {
  type Place = readonly [x: number, y: number];

  /** Creates a chart that accepts drags, at positions in its own px. */
  async function setUpBrush() {
    const { element, root } = await chart({ meta: { vega } });
    const chosen: number[] = [];
    element.onBrush = marks => chosen.push(marks.length);
    await element.updateComplete;
    const container = element.renderRoot.querySelector<HTMLElement>('.chart');
    if (!container) throw new Error('no chart');
    // Replace this method, because synthetic pointers cannot be captured.
    container.setPointerCapture = () => {};
    const dispatch = (type: string, [x, y]: Place, more: PointerEventInit = {}) => {
      const { left, top } = container.getBoundingClientRect();
      const at = { clientX: left + x, clientY: top + y, pointerId: 1, isPrimary: true, buttons: 1 };
      container.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, ...at, ...more }));
      return element.updateComplete;
    };
    const brushBox = () => element.renderRoot.querySelector('.brush')?.getBoundingClientRect() ?? null;
    return { element, root, container, chosen, dispatch, brushBox };
  }

  it('selects the marks inside', async () => {
    const { chosen, dispatch, brushBox } = await setUpBrush();
    await dispatch('pointerdown', [2, 20]);
    await dispatch('pointermove', [150, 230]);
    expect(brushBox()?.width).to.be.closeTo(148, 1);
    await dispatch('pointerup', [150, 230], { buttons: 0 });
    expect(brushBox()).to.equal(null);
    expect(chosen).to.eql([2]);
  });

  it('is canceled when the pointer capture ends', async () => {
    const { chosen, dispatch, brushBox, container } = await setUpBrush();
    const draw = async () => {
      await dispatch('pointerdown', [2, 20]);
      await dispatch('pointermove', [150, 190]);
      expect(brushBox()).not.to.equal(null);
    };
    const ends: readonly (() => unknown)[] = [
      () => dispatch('pointercancel', [0, 0]),
      () => dispatch('lostpointercapture', [0, 0]),
      () => container.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
      () => dispatch('pointermove', [160, 190], { buttons: 0 }),
      () => dispatch('pointermove', [160, 190], { button: 2, buttons: 2 }),
    ];
    for (const end of ends) {
      await draw();
      await end();
      await dispatch('pointermove', [170, 190]);
      expect(brushBox()).to.equal(null);
      await dispatch('pointerup', [170, 190], { buttons: 0 });
    }
    expect(chosen).to.eql([]);
  });

  it('ignores a press released outside, other buttons and touch', async () => {
    const { chosen, dispatch, brushBox } = await setUpBrush();
    await dispatch('pointerdown', [2, 20]);
    await dispatch('pointermove', [150, 190], { buttons: 0 });
    expect(brushBox()).to.equal(null);
    for (const more of [{ button: 2, buttons: 2 }, { pointerType: 'touch' }, { isPrimary: false }]) {
      await dispatch('pointerdown', [2, 20], more);
      await dispatch('pointermove', [150, 190]);
      expect(brushBox()).to.equal(null);
      await dispatch('pointerup', [150, 190], { buttons: 0 });
    }
    expect(chosen).to.eql([]);
  });

  it('follows the pointer on a scaled page', async () => {
    const { root, chosen, dispatch, brushBox } = await setUpBrush();
    root.style.setProperty('transform', 'scale(2)');
    root.style.setProperty('transform-origin', '0 0');
    await dispatch('pointerdown', [650, 40]);
    await dispatch('pointermove', [750, 380]);
    expect(brushBox()?.width).to.be.closeTo(100, 1);
    await dispatch('pointerup', [750, 380], { buttons: 0 });
    expect(chosen).to.eql([1]);
  });

  it('selects nothing if the chart was replaced in the meantime', async () => {
    const { element, chosen, dispatch } = await setUpBrush();
    await dispatch('pointerdown', [2, 20]);
    await dispatch('pointermove', [150, 190]);
    element.rowSet = manyRows(0);
    await eventually(() => bars(element).length === 0);
    await dispatch('pointerup', [150, 190], { buttons: 0 });
    expect(chosen).to.eql([]);
  });
});
