import { expect } from '@open-wc/testing';
import type { AppConfig } from '../../../src/contract/app-config.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, type FakeSession } from '../fake-session.js';
import { carrierReport, dashboardPage, reportPage } from '../parts/tile/tile-page.js';

const account = (embedding: AppConfig['embedding']): AppConfig => ({
  applyThemeGlobally: false,
  restrictDataDownload: false,
  sheetsAgentChatEnabled: false,
  embedding,
});
const content = dashboard([chartWidget(0)], [carrierReport(0)]);
const zoned = { ...content, config: { ...content.config, settings: { timezone: 'Europe/Paris' } } };
const lastZone = (session: FakeSession): unknown => session.calls.at(-1)?.query.timezone;
const direction = (element: PaDashboard): unknown => element.renderRoot.querySelector('[dir]')?.getAttribute('dir');

describe('language and time zone of the account', () => {
  afterEach(() => document.body.replaceChildren());

  it('are used where neither the element nor the session says another', async () => {
    const { element, session } = await dashboardPage(content, one => {
      one.config = account({ locale: 'ar', timezone: 'Asia/Tokyo' });
    });
    await eventually(() => lastZone(session) === 'Asia/Tokyo');
    await eventually(() => direction(element) === 'rtl');
    element.timezone = 'America/Lima';
    element.locale = 'en';
    await eventually(() => lastZone(session) === 'America/Lima');
    await eventually(() => direction(element) === 'ltr');
  });

  it('come behind the session’s and the dashboard’s', async () => {
    const config = account({ locale: 'ar', timezone: 'Asia/Tokyo' });
    const { element, session } = await dashboardPage(zoned, one => {
      one.config = config;
      one.settings = { locale: 'de' };
    });
    await eventually(() => lastZone(session) === 'Europe/Paris');
    await eventually(() => direction(element) === 'ltr');
    document.body.replaceChildren();
    const other = await dashboardPage(zoned, one => {
      one.config = config;
      one.settings = { timezone: 'Europe/Rome' };
    });
    await eventually(() => lastZone(other.session) === 'Europe/Rome');
  });

  it('fall through where nobody knows them', async () => {
    const { session } = await dashboardPage(content, one => {
      one.config = account({ locale: '!', timezone: 'Nowhere/Land' });
    });
    await eventually(() => session.calls.length > 0);
    expect(lastZone(session)).to.equal(undefined);
  });

  it('hold for a report alone', async () => {
    const { session, element } = await reportPage();
    session.config = account({ timezone: 'Asia/Tokyo' });
    session.emit({ type: 'identity', identity: 'another' });
    await element.updateComplete;
    await eventually(() => lastZone(session) === 'Asia/Tokyo');
  });
});

describe('the language of what is drawn', () => {
  afterEach(() => document.body.replaceChildren());

  it('is told where it may not be the page’s: that of the words', async () => {
    const { element } = await reportPage();
    const told = () => element.renderRoot.querySelector('.frame')?.getAttribute('lang');
    for (const [locale, lang] of [
      ['de-AT', 'de-AT'],
      ['pl', 'en'],
      ['ar', 'ar'],
    ] as const) {
      element.locale = locale;
      await eventually(() => told() === lang);
    }
  });
});
