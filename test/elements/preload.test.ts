import { expect } from '@open-wc/testing';
import { sessionPageOf } from '../../src/controllers/session-page.js';
import { preload } from '../../src/elements/preload.js';

describe('preload', () => {
  it('defines the elements that draw the kinds that it is told', async () => {
    expect(customElements.get('pa-tile-kpi')).to.equal(undefined);
    await preload({ kinds: ['kpi'] });
    expect(customElements.get('pa-tile-kpi')).to.be.a('function');
    expect(customElements.get('pa-tile-table')).to.equal(undefined);
  });

  it('starts the session that elements will share', async () => {
    let minted = 0;
    const session = async (): Promise<string> => {
      minted += 1;
      throw new Error('nobody is signed in');
    };
    const settings = { session, baseUrl: 'https://platform.example' };
    await preload({ ...settings, kinds: [] });
    expect(minted).to.be.greaterThan(0);
    const page = sessionPageOf(document);
    const before = page.size;
    const shared = page.acquire(settings);
    expect(page.size).to.equal(before);
    page.release(shared);
  });

  it('opens no session that is not named', async () => {
    const before = sessionPageOf(document).size;
    await preload({ kinds: [] });
    expect(sessionPageOf(document).size).to.equal(before);
  });
});
