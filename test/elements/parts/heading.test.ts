import { expect } from '@open-wc/testing';
import { carrierReport, reportPage } from './tile-page.js';

describe('the heading of a tile', () => {
  afterEach(() => document.body.replaceChildren());

  it('runs as its own words do, at the side where the tile begins', async () => {
    const { tile } = await reportPage({ snapshot: carrierReport(1, { name: 'رحلات (2001)' }), locale: 'en' });
    const heading = tile.renderRoot.querySelector('[part=heading]') ?? tile;
    const { direction, textAlign } = getComputedStyle(heading);
    expect([heading.textContent, direction, textAlign]).to.deep.equal(['رحلات (2001)', 'rtl', 'left']);
  });
});
