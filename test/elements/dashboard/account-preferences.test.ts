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

describe('account locale and time zone', () => {
  afterEach(() => document.body.replaceChildren());

  it('apply if neither the element nor the session sets one', async () => {
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

  it('have lower precedence than the session and the dashboard', async () => {
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

  it('are ignored if unknown', async () => {
    const { session } = await dashboardPage(content, one => {
      one.config = account({ locale: '!', timezone: 'Nowhere/Land' });
    });
    await eventually(() => session.calls.length > 0);
    expect(lastZone(session)).to.equal(undefined);
  });

  it('apply to a single report', async () => {
    const { session, element } = await reportPage();
    session.config = account({ timezone: 'Asia/Tokyo' });
    session.emit({ type: 'identity', identity: 'another' });
    await element.updateComplete;
    await eventually(() => lastZone(session) === 'Asia/Tokyo');
  });
});

describe('lang attribute', () => {
  afterEach(() => document.body.replaceChildren());

  it('names the message language even if the page language differs', async () => {
    const { element } = await reportPage();
    const langOf = () => element.renderRoot.querySelector('.frame')?.getAttribute('lang');
    for (const [locale, lang] of [
      ['de-AT', 'de-AT'],
      ['pl', 'en'],
      ['ar', 'ar'],
    ] as const) {
      element.locale = locale;
      await eventually(() => langOf() === lang);
    }
  });
});
