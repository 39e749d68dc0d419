import { expect } from '@open-wc/testing';
import { html, LitElement, type TemplateResult } from 'lit';
import { findSession, RowsController } from '../../../src/controllers/rows/index.js';
import { PaSession } from '../../../src/elements/session/session-element.js';
import { FakeService, json, loadAnswer } from '../../client/fake-service.js';
import { eventually } from '../eventually.js';

/** A chart that a page defines itself, with a controller of the package. */
class PageChart extends LitElement {
  readonly #rows = new RowsController(this, { query: () => ({ measures: ['flights.count'] }) });

  override render(): TemplateResult {
    return html`${this.#rows.rows?.rows[0]?.['flights.count'] ?? this.#rows.status}`;
  }
}
customElements.define('page-chart', PageChart);

describe('session of a page’s own charts', () => {
  const realFetch = window.fetch;
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    window.fetch = service.fetch;
    document.body.innerHTML = `<pa-session session-url="/api/embed-session" base-url="https://platform.example"><page-chart></page-chart></pa-session>`;
  });

  afterEach(() => {
    document.body.replaceChildren();
    window.fetch = realFetch;
  });

  const chart = (): Element => document.querySelector('page-chart') ?? document.body;

  it('is found once its element is defined, and is the one that a RowsController uses', async () => {
    service.routes.set('POST /data-api/v1/load', () => json(loadAnswer([{ 'flights.count': 7 }])));
    const found = findSession(chart());
    customElements.define('pa-session', class extends PaSession {});
    const session = await found;
    expect(await findSession(document.querySelector('pa-session') ?? document.body)).to.equal(session);
    const { rows } = await session.load({ measures: ['flights.count'] });
    expect(rows).to.deep.equal([{ 'flights.count': 7 }]);
    await eventually(() => chart().shadowRoot?.textContent === '7');
  });

  it('is not found outside of a <pa-session>, or after an abort', async () => {
    const fails = async (found: Promise<unknown>): Promise<string> =>
      found.then(
        () => 'found',
        error => error.name,
      );
    expect(await fails(findSession(document.body))).to.equal('TypeError');
    const provider = document.querySelector('pa-session');
    provider?.removeAttribute('session-url');
    await provider?.updateComplete;
    const controller = new AbortController();
    const found = fails(findSession(chart(), { signal: controller.signal }));
    controller.abort();
    expect(await found).to.equal('PaAbortError');
    expect(await fails(findSession(chart(), { signal: controller.signal }))).to.equal('PaAbortError');
  });
});
