import { expect } from '@open-wc/testing';
import type { EmbedSessionSettings } from '../../../src/contract/embed.js';
import '../../../src/elements/report/pa-report.js';
import '../../../src/elements/session/pa-session.js';
import type { PaReport } from '../../../src/elements/report/report-element.js';
import { eventually } from '../eventually.js';
import { FakeSession, oneNumber, provide, rowSet, snapshot } from '../fake-session.js';

interface Page {
  readonly lang?: string;
  /** Settings of the element. */
  readonly locale?: string;
  readonly timezone?: string;
  /** Attributes of a `<pa-session>` around the element. */
  readonly around?: Readonly<Record<string, string>>;
  readonly settings?: EmbedSessionSettings;
  readonly empty?: boolean;
}

interface Setup {
  readonly element: PaReport;
  readonly session: FakeSession;
  readonly provider: HTMLElement;
}

const report = async (page: Page): Promise<PaReport> => (await setUp(page)).element;

async function setUp({ lang, settings, locale, timezone, around: attributes, empty = false }: Page): Promise<Setup> {
  const session = new FakeSession();
  session.settings = settings ?? null;
  session.answers = () => (empty ? rowSet([], []) : oneNumber);
  const around = document.createElement('section');
  if (lang !== undefined) around.lang = lang;
  const inside = document.createElement('div').attachShadow({ mode: 'open' });
  const element = document.createElement('pa-report');
  element.snapshot = snapshot(1);
  if (locale !== undefined) element.setAttribute('locale', locale);
  if (timezone !== undefined) element.setAttribute('timezone', timezone);
  inside.append(element);
  around.append(inside.host);
  const sessionElement = document.createElement('pa-session');
  for (const [name, value] of Object.entries(attributes ?? {})) sessionElement.setAttribute(name, value);
  const provider = provide(session);
  provider.append(around);
  // A session element without a name provides no session, so the test session applies.
  sessionElement.append(provider);
  document.body.append(sessionElement);
  await element.loadAll();
  return { element, session, provider: sessionElement };
}

const tile = (element: PaReport) => element.renderRoot.querySelector('pa-tile')?.renderRoot;
const figure = (element: PaReport): string | null | undefined =>
  tile(element)?.querySelector('pa-tile-kpi')?.shadowRoot?.querySelector('.figure')?.textContent;
const title = (element: PaReport): string | null | undefined => tile(element)?.querySelector('.title')?.textContent;

describe('element language', () => {
  afterEach(() => document.body.replaceChildren());

  it('is that of the nearest lang, across shadow roots', async () => {
    const element = await report({ lang: 'de-CH' });
    await eventually(() => figure(element) === new Intl.NumberFormat('de-CH').format(1_234_567));
  });

  it('is that of the session before any lang', async () => {
    const element = await report({ lang: 'de', settings: { locale: 'en-IN' } });
    await eventually(() => figure(element) === '12,34,567');
  });

  it('selects the messages', async () => {
    const element = await report({ lang: 'de', empty: true });
    await eventually(() => title(element) === 'Keine Daten');
  });

  it('formats numbers for a language without messages', async () => {
    const element = await report({ lang: 'pt-BR', empty: true });
    expect(title(element)).to.equal('No data');
    const numbers = await report({ lang: 'pt-BR' });
    await eventually(() => figure(numbers) === '1.234.567');
  });

  it('is English if the page names no valid language', async () => {
    for (const lang of ['', 'not a language', 'x-private']) {
      const element = await report({ lang });
      await eventually(() => figure(element) === '1,234,567', lang);
    }
  });

  it('prefers the element over the surrounding session, and that over the setting', async () => {
    const settings = { locale: 'en-IN' };
    const own = await report({ locale: 'fr', around: { locale: 'de' }, settings, lang: 'es', empty: true });
    await eventually(() => title(own) === 'Aucune donnée');
    const around = await report({ around: { locale: 'de' }, settings, lang: 'es', empty: true });
    await eventually(() => title(around) === 'Keine Daten');
    const page = await report({ lang: 'es', empty: true });
    await eventually(() => title(page) === 'Sin datos');
  });

  it('follows the attributes and ignores unknown values', async () => {
    const { element, provider } = await setUp({ around: { locale: 'de' }, empty: true });
    await eventually(() => title(element) === 'Keine Daten');
    provider.setAttribute('locale', 'ja');
    await eventually(() => title(element) === 'データがありません');
    element.setAttribute('locale', 'ar');
    await eventually(() => title(element) === 'لا توجد بيانات');
    element.setAttribute('locale', 'not a language');
    provider.removeAttribute('locale');
    await eventually(() => title(element) === 'No data');
  });
});

describe('element direction', () => {
  afterEach(() => {
    document.body.replaceChildren();
    document.documentElement.removeAttribute('dir');
  });

  const tileOf = (element: PaReport): HTMLElement | null => element.renderRoot.querySelector('pa-tile');
  const direction = (element: Element | null | undefined): string =>
    element ? getComputedStyle(element).direction : '';
  /** Returns the side of the tile on which the heading text starts. */
  const side = (element: PaReport): string => {
    const words = tile(element)?.querySelector('h3');
    const range = document.createRange();
    if (words) range.selectNodeContents(words);
    const heading = words && range.getBoundingClientRect();
    const frame = tileOf(element)?.getBoundingClientRect();
    if (!heading || !frame) return 'nowhere';
    return heading.left - frame.left < frame.right - heading.right ? 'left' : 'right';
  };

  it('follows its language without changing the page', async () => {
    const element = await report({ locale: 'ar-EG' });
    await eventually(() => direction(tileOf(element)) === 'rtl');
    expect(direction(element)).to.equal('ltr');
    expect(direction(document.body)).to.equal('ltr');
    expect(document.documentElement.hasAttribute('dir')).to.equal(false);
  });

  it('mirrors the layout, with Latin digits in every region', async () => {
    const mirrored = await report({ locale: 'ar-EG' });
    const plain = await report({ locale: 'en' });
    for (const element of [mirrored, plain]) element.style.width = '600px';
    await eventually(() => figure(mirrored) === '1,234,567');
    await eventually(() => direction(tileOf(mirrored)) === 'rtl');
    expect([side(plain), side(mirrored)]).to.deep.equal(['left', 'right']);
  });

  it('is ltr for an ltr language on an rtl page', async () => {
    document.documentElement.dir = 'rtl';
    const element = await report({ locale: 'de' });
    await eventually(() => direction(tileOf(element)) === 'ltr');
    expect(direction(element)).to.equal('rtl');
  });

  it('is that of the page if no language is set', async () => {
    document.documentElement.dir = 'rtl';
    const { element, provider } = await setUp({ lang: '' });
    expect(direction(tileOf(element))).to.equal('rtl');
    provider.setAttribute('locale', 'en');
    await eventually(() => direction(tileOf(element)) === 'ltr');
  });
});

describe('element time zone', () => {
  afterEach(() => document.body.replaceChildren());

  const queriedZones = ({ session }: Setup): (string | null | undefined)[] =>
    session.calls.map(({ query }) => query.timezone);

  it('prefers its attribute, then the surrounding session, the setting and the report', async () => {
    const settings = { timezone: 'Asia/Tokyo' };
    const around = { timezone: 'Europe/Berlin' };
    expect(queriedZones(await setUp({ timezone: 'America/Chicago', around, settings }))).to.deep.equal([
      'America/Chicago',
    ]);
    expect(queriedZones(await setUp({ around, settings }))).to.deep.equal(['Europe/Berlin']);
    expect(queriedZones(await setUp({ settings }))).to.deep.equal(['Asia/Tokyo']);
    expect(queriedZones(await setUp({}))).to.deep.equal([undefined]);
  });

  it('ignores invalid values such as offsets', async () => {
    const settings = { timezone: 'Asia/Tokyo' };
    for (const timezone of ['+02:00', 'Nowhere/City', '']) {
      expect(queriedZones(await setUp({ timezone, settings })), timezone).to.deep.equal(['Asia/Tokyo']);
    }
  });

  it('queries again when it changes', async () => {
    const page = await setUp({ timezone: 'Asia/Tokyo' });
    page.element.setAttribute('timezone', 'Europe/Berlin');
    await eventually(() => page.session.calls.length === 2);
    expect(queriedZones(page)).to.deep.equal(['Asia/Tokyo', 'Europe/Berlin']);
  });
});
