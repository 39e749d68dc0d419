import { expect, fixture, html } from '@open-wc/testing';
import type { ChatStep } from '../../../../src/controllers/chat/chat-result.js';
import '../../../../src/elements/chat/step/step-element.js';
import type { ToolRenderers } from '../../../../src/elements/chat/chat-context.js';
import type { PaChatStep } from '../../../../src/elements/chat/step/step-element.js';
import { eventually } from '../../eventually.js';

const query = { measures: ['flights.count'], dimensions: ['flights.carrier'] };
const running: ChatStep = {
  type: 'step',
  id: '1',
  name: 'dataQuery',
  input: { query },
  result: null,
  error: null,
  status: 'running',
};
const done: ChatStep = {
  ...running,
  status: 'done',
  result: {
    queryTitle: 'Flights by carrier',
    description: 'All flights',
    query,
    schema: [
      { name: 'flights.carrier', column_type: 'String' },
      { name: 'flights.count', column_type: 'Int64' },
    ],
    data: [
      ['AA', '12'],
      ['DL', '7'],
    ],
    totalRows: 2,
    uuid: 'x',
  },
};

async function show(step: ChatStep, renderers: ToolRenderers = {}): Promise<PaChatStep> {
  return fixture<PaChatStep>(html`<pa-chat-step .step=${step} .locale=${'en'} .renderers=${renderers}></pa-chat-step>`);
}
const line = (element: PaChatStep): string => element.renderRoot.querySelector('summary')?.textContent?.trim() ?? '';

describe('answer step', () => {
  it('summarizes its action and result in one line', async () => {
    const element = await show(running);
    expect(line(element)).to.equal('Querying the data…');
    element.step = done;
    await element.updateComplete;
    expect(line(element)).to.match(/^Queried the data( · [\d.]+ s)? · 2 rows$/);
    await expect(element).to.be.accessible();
  });

  it('shows rows that only support the answer inside its details, unless the host renders them', async () => {
    const supporting = { ...done, result: { ...(done.result as object), isSupporting: true } };
    const element = await show(supporting);
    const details = element.renderRoot.querySelector('details');
    await eventually(() => details?.querySelector('pa-chat-result')?.shadowRoot?.querySelector('article'));
    expect(element.renderRoot.querySelectorAll('pa-chat-result').length).to.equal(1);
    element.renderRoot.querySelector('summary')?.click();
    await eventually(() => details?.open && details.querySelector('pa-chat-result')?.getBoundingClientRect().height);
    await expect(element).to.be.accessible();
    const own = await show(supporting, { dataQuery: () => html`<b>own</b>` });
    expect(own.renderRoot.querySelector('details b')).to.equal(null);
    expect(own.renderRoot.querySelector('.own b')?.textContent).to.equal('own');
  });

  it('reveals the query on expand and shows the rows without it', async () => {
    const element = await show(done);
    expect(line(element)).to.equal('Queried the data · 2 rows');
    expect(element.renderRoot.querySelector('details')?.open).to.equal(false);
    expect(element.renderRoot.querySelector('pre')?.textContent).to.equal(JSON.stringify(query, null, 2));
    await eventually(() =>
      element.renderRoot
        .querySelector('pa-chat-result')
        ?.shadowRoot?.querySelector('pa-tile-table')
        ?.shadowRoot?.textContent?.includes('AA'),
    );
  });

  it('shows the reason of a failure', async () => {
    const element = await show({ ...running, status: 'failed', error: 'flights.nope is unknown' });
    expect(line(element)).to.equal('The query failed');
    expect(element.renderRoot.querySelector('.error')?.textContent).to.equal('flights.nope is unknown');
  });

  it('names an unknown tool and shows its result as text', async () => {
    const element = await show({ ...running, name: 'toString', status: 'done', result: { note: '<b>hi</b>' } });
    expect(line(element)).to.equal('Used toString');
    expect(element.renderRoot.querySelectorAll('pre')[1]?.textContent).to.contain('<b>hi</b>');
    expect(element.renderRoot.querySelector('b')).to.equal(null);
  });

  it('uses the host renderer for a tool result', async () => {
    const renderers: ToolRenderers = {
      dataQuery: ({ status }) => (status === 'done' ? html`<p class="mine">mine</p>` : null),
    };
    const element = await show(done, renderers);
    expect(element.renderRoot.querySelector('.mine')?.textContent).to.equal('mine');
    expect(element.renderRoot.querySelector('pa-chat-result')).to.equal(null);
  });

  it('shows the default step if the host renderer throws, and reports the error', async () => {
    const { reportError } = window;
    const reported: unknown[] = [];
    window.reportError = error => reported.push(error);
    const broken = new Error('not ours');
    const element = await show(done, {
      dataQuery: () => {
        throw broken;
      },
    });
    window.reportError = reportError;
    expect(line(element)).to.equal('Queried the data · 2 rows');
    expect(element.renderRoot.querySelector('pa-chat-result')).to.exist;
    expect(reported).to.deep.equal([broken]);
  });
});
