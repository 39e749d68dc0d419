import { expect } from '@open-wc/testing';
import type { EmbedSessionSettings } from '../../../src/contract/embed.js';
import '../../../src/elements/report/pa-report.js';
import type { PaReport } from '../../../src/elements/report/report-element.js';
import { FakeSession, oneNumber, provide, rowSet, snapshot } from '../fake-session.js';
import { soon } from '../soon.js';

interface Page {
  readonly lang?: string;
  readonly settings?: EmbedSessionSettings;
  readonly empty?: boolean;
}

async function report({ lang, settings, empty = false }: Page): Promise<PaReport> {
  const session = new FakeSession();
  session.settings = settings ?? null;
  session.answers = () => (empty ? rowSet([], []) : oneNumber);
  const around = document.createElement('section');
  if (lang !== undefined) around.lang = lang;
  const inside = document.createElement('div').attachShadow({ mode: 'open' });
  const element = document.createElement('pa-report');
  element.snapshot = snapshot(1);
  inside.append(element);
  around.append(inside.host);
  const provider = provide(session);
  provider.append(around);
  document.body.append(provider);
  await element.loadAll();
  return element;
}

const tile = (element: PaReport) => element.renderRoot.querySelector('pa-tile')?.renderRoot;
const figure = (element: PaReport): string | null | undefined =>
  tile(element)?.querySelector('pa-tile-kpi')?.shadowRoot?.querySelector('.figure')?.textContent;
const title = (element: PaReport): string | null | undefined => tile(element)?.querySelector('.title')?.textContent;

describe('language of an element', () => {
  afterEach(() => document.body.replaceChildren());

  it('is that of the nearest lang, across shadow roots', async () => {
    const element = await report({ lang: 'de-CH' });
    await soon(() => figure(element) === new Intl.NumberFormat('de-CH').format(1_234_567));
  });

  it('is that of the session before any lang', async () => {
    const element = await report({ lang: 'de', settings: { locale: 'en-IN' } });
    await soon(() => figure(element) === '12,34,567');
  });

  it('speaks in words of that language', async () => {
    const element = await report({ lang: 'de', empty: true });
    await soon(() => title(element) === 'Keine Daten');
  });

  it('keeps the numbers of a language that it has no words for', async () => {
    const element = await report({ lang: 'pt-BR', empty: true });
    expect(title(element)).to.equal('No data');
    const numbers = await report({ lang: 'pt-BR' });
    await soon(() => figure(numbers) === '1.234.567');
  });

  it('is English where the page names no language, or none there is', async () => {
    for (const lang of ['', 'not a language', 'x-private']) {
      const element = await report({ lang });
      await soon(() => figure(element) === '1,234,567', lang);
    }
  });
});
