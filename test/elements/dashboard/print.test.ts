import { expect } from '@open-wc/testing';
import '../../../src/elements/dashboard/pa-dashboard.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, snapshot } from '../fake-session.js';
import { container, dashboardPage, textIn, tilesOf } from './dashboard-page.js';

const reports = Array.from({ length: 40 }, (_, index) => snapshot(index));

describe('printing', () => {
  const print = window.print;
  afterEach(() => {
    window.print = print;
    document.body.replaceChildren();
  });

  it('waits for every tile, including tabs, in a light color scheme', async () => {
    const widgets = reports.map((_, index) => chartWidget(index));
    const given = dashboard([...widgets, container('box', ['w0', 'w1', 'w2'], { layout: 'tabs' })], reports);
    const { element, session } = await dashboardPage(given, page =>
      page.parent.style.setProperty('color-scheme', 'dark'),
    );
    const found: unknown[] = [];
    window.print = () => {
      dispatchEvent(new Event('beforeprint'));
      found.push(
        session.calls.length,
        tilesOf(element).every(tile => textIn(tile).includes('1,234,567')),
      );
      found.push(getComputedStyle(element).colorScheme);
      queueMicrotask(() => dispatchEvent(new Event('afterprint')));
    };
    await element.print();
    expect(found).to.deep.equal([40, true, 'light']);
    expect(getComputedStyle(element).colorScheme).to.equal('dark');
  });

  it('resolves if the page may not print', async () => {
    const { element } = await dashboardPage(dashboard([chartWidget(0)], reports));
    let printCalls = 0;
    window.print = () => {
      printCalls += 1;
    };
    await element.print();
    expect(printCalls).to.equal(1);
  });
});

describe('dashboard slots', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  const slotElement = (name: string): HTMLElement => {
    const element = document.createElement('p');
    element.slot = name;
    element.textContent = `mine: ${name}`;
    return element;
  };

  it('replace default content', async () => {
    const { element } = await dashboardPage(dashboard([], []), ({ element: given }) => {
      given.append(slotElement('header'), slotElement('empty'), slotElement('error'), slotElement('loading'));
    });
    await eventually(() => textIn(element).includes('Departures'));
    expect(textIn(element)).to.include('mine: header');
    expect(textIn(element)).to.include('mine: empty');
    expect(textIn(element)).not.to.include('mine: error');
    expect(textIn(element)).not.to.include('mine: loading');
  });

  it('are shown while the dashboard loads and if it fails to load', async () => {
    let fail: (error: unknown) => void = () => {};
    const { element } = await dashboardPage(dashboard([], []), ({ element: given, session }) => {
      given.append(slotElement('error'), slotElement('loading'));
      session.dashboards = () =>
        new Promise((_, reject) => {
          fail = reject;
        });
    });
    await eventually(() => textIn(element).includes('mine: loading'));
    fail(new Error('no'));
    await eventually(() => textIn(element).includes('mine: error'));
    expect(textIn(element)).not.to.include('Something went wrong');
  });
});
