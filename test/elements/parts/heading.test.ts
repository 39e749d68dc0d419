import { expect } from '@open-wc/testing';
import { dashboardPage } from '../dashboard/dashboard-page.js';
import { eventually } from '../eventually.js';
import { dashboard } from '../fake-session.js';
import { carrierReport, reportPage } from './tile/tile-page.js';

describe('tile heading', () => {
  afterEach(() => document.body.replaceChildren());

  it('follows the direction of its text, aligned with the tile', async () => {
    const { tile } = await reportPage({ snapshot: carrierReport(1, { name: 'رحلات (2001)' }), locale: 'en' });
    const heading = tile.renderRoot.querySelector('[part=heading]') ?? tile;
    const { direction, textAlign } = getComputedStyle(heading);
    expect([heading.textContent, direction, textAlign]).to.deep.equal(['رحلات (2001)', 'rtl', 'left']);
  });
});

describe('dashboard description', () => {
  afterEach(() => document.body.replaceChildren());

  it('follows the direction of its text, aligned with the dashboard', async () => {
    const given = dashboard([], []);
    const { element } = await dashboardPage(
      { ...given, config: { ...given.config, description: 'Where flights go' } },
      page => {
        page.element.locale = 'ar';
      },
    );
    const description = () => element.renderRoot.querySelector('.title p');
    await eventually(() => description()?.closest('[dir=rtl]'));
    const { direction, textAlign } = getComputedStyle(description() ?? element);
    expect([direction, textAlign]).to.deep.equal(['ltr', 'right']);
  });
});
