import { expect } from '@open-wc/testing';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { chartWidget, dashboard } from '../fake-session.js';
import { carrierReport, dashboardPage, labels, openMenu, reportPage } from '../parts/tile/tile-page.js';

const unreadable = {
  get label(): string {
    throw new Error('must not be read');
  },
};
const invalidValues: readonly unknown[] = [
  0,
  5,
  Number.NaN,
  Symbol('s'),
  10n,
  true,
  '',
  'text',
  [],
  [null, 5, 'x', {}, []],
  {},
  { a: 1, length: 'x' },
  Object.create(null),
  null,
  undefined,
  new Map([['a', 1]]),
  () => {
    throw new Error('must not be called');
  },
  [unreadable],
];

const image = {
  spec: { columns: { 'flights.carrier': { display: 'image' } } },
};

/** Runs the function and returns the uncaught errors of the page. */
async function catchFailures(run: () => Promise<void>): Promise<string[]> {
  const failures: string[] = [];
  const before = { onerror: window.onerror, onunhandledrejection: window.onunhandledrejection };
  window.onerror = (_event, _source, _line, _column, error) => {
    failures.push(String(error));
    return true;
  };
  window.onunhandledrejection = event => {
    failures.push(String(event.reason));
    event.preventDefault();
  };
  try {
    await run();
    await new Promise(resolve => setTimeout(resolve));
  } finally {
    Object.assign(window, before);
  }
  return failures;
}

function describeValue(value: unknown): string {
  try {
    return `${typeof value} ${JSON.stringify(value)}`;
  } catch {
    return typeof value;
  }
}

describe('invalid host properties', () => {
  const names = [
    'filters',
    'lockedFilters',
    'locale',
    'timezone',
    'theme',
    'imageOrigins',
    'menuItems',
    'headingLevel',
  ];
  const sessionNames = ['dialect', 'dataApiPath', 'sessionUrl', 'session', 'baseUrl'];
  const content = dashboard([chartWidget(0)], [carrierReport(0, image)]);
  const warn = console.warn;
  let warnings: string[] = [];
  beforeEach(() => {
    warnings = [];
    console.warn = (text: unknown) => warnings.push(String(text));
  });
  afterEach(() => {
    console.warn = warn;
    document.body.replaceChildren();
  });

  for (const name of [...names, ...sessionNames, 'urlState']) {
    it(`do not break a dashboard: ${name}`, async () => {
      const failures = await catchFailures(async () => {
        for (const value of invalidValues) {
          const { element } = await dashboardPage(content, (_session, one) => {
            Object.assign(one, { [name]: value });
          });
          const [tile] = element.renderRoot.querySelectorAll('pa-tile');
          if (!tile) throw new Error(`no tile: ${describeValue(value)}`);
          await openMenu(tile);
          expect(labels(tile), describeValue(value)).to.contain('Refresh');
          Object.assign(element, { [name]: null });
          await element.loadAll();
          Object.assign(element, { [name]: value });
          await element.loadAll();
          expect(element.renderRoot.querySelector('pa-tile')?.outcome, describeValue(value)).to.equal('shown');
          document.body.replaceChildren();
        }
      });
      // Errors in the host’s own code are reported to the page.
      const own = name === 'menuItems' ? ['Error: must not be called', 'Error: must not be read'] : [];
      expect(failures).to.deep.equal(own);
    });
  }

  for (const name of [...names, 'rows', 'dashboard', 'report']) {
    it(`do not break a report: ${name}`, async () => {
      const failures = await catchFailures(async () => {
        for (const value of name === 'rows' ? invalidValues.filter(one => !one) : invalidValues) {
          const { tile } = await reportPage({ [name]: value });
          expect(tile.outcome, describeValue(value)).to.equal('shown');
          document.body.replaceChildren();
        }
      });
      expect(failures).to.deep.equal([]);
    });
  }

  it('do not break a dashboard: state', async () => {
    const failures = await catchFailures(async () => {
      for (const value of invalidValues) {
        for (const state of [value, { filters: value, timeGrains: value, members: value, tabs: value }]) {
          const set = (one: PaDashboard): void => Reflect.apply(one.setState, one, [state]);
          const { element, tiles } = await dashboardPage(content, (_session, one) => set(one));
          set(element);
          await element.updateComplete;
          expect(tiles[0]?.outcome, describeValue(value)).to.equal('shown');
          const { filters, tabs } = element.getState();
          expect([typeof filters, typeof tabs], describeValue(value)).to.deep.equal(['object', 'object']);
          document.body.replaceChildren();
        }
      }
    });
    expect(failures).to.deep.equal([]);
  });

  it('do not break an element without a session', async () => {
    const failures = await catchFailures(async () => {
      for (const name of sessionNames) {
        for (const value of invalidValues.filter(Boolean)) {
          const element = document.createElement('pa-dashboard');
          Object.assign(element, { publicId: 'Dashboard001', session: () => new Promise(() => {}), [name]: value });
          document.body.append(element);
          await element.updateComplete;
          element.remove();
        }
      }
    });
    expect(failures).to.deep.equal([]);
  });

  it('do not block method calls before the first render', async () => {
    for (const tag of ['pa-dashboard', 'pa-report'] as const) {
      const element = document.createElement(tag);
      element.setState({ filters: { 'flights.carrier': { value: 'AA' } } });
      expect(element.getState().filters).to.deep.equal({ 'flights.carrier': { value: 'AA' } });
      await element.refresh();
    }
  });

  it('warn once per property about conditions that cannot apply', async () => {
    const nonsense = {
      'flights.carrier': { operator: 'nonsense', value: 'secret' },
      'flights.origin': { value: 'ORD' },
    };
    const { element } = await dashboardPage(content, (_session, one) => {
      Object.assign(one, { lockedFilters: nonsense });
    });
    Object.assign(element, { lockedFilters: { ...nonsense } });
    await element.updateComplete;
    await element.loadAll();
    expect(warnings).to.deep.equal([
      '<pa-dashboard>: lockedFilters contains invalid conditions, which are ignored: flights.carrier.',
    ]);
  });

  it('warn once without logging values', async () => {
    const { element } = await dashboardPage(content, (_session, one) => {
      Object.assign(one, { imageOrigins: 'https://secret.example', theme: [], timezone: undefined });
    });
    Object.assign(element, { imageOrigins: 5 });
    await element.updateComplete;
    expect(warnings).to.deep.equal([
      '<pa-dashboard>: theme must be an object. The current value is ignored.',
      '<pa-dashboard>: imageOrigins must be an array. The current value is ignored.',
    ]);
  });
});
