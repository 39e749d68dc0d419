import { expect } from '@open-wc/testing';
import type { EmbedSessionSettings } from '../../../../src/contract/embed.js';
import type { DashboardSubscription } from '../../../../src/contract/embed-subscriptions.js';
import type { PaSubscribe } from '../../../../src/elements/parts/subscribe/subscribe-element.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard } from '../../fake-session.js';
import { carrierReport, dashboardPage } from '../tile/tile-page.js';

const { fetch } = globalThis;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown> | null;
}

/** Answers the requests of subscriptions as the platform does, with subscriptions in memory. */
function serveSubscriptions({ email = 'ann@example.com', refusal = 0, state = 'sent' } = {}) {
  const sent: Sent[] = [];
  const items: DashboardSubscription[] = [];
  const answer = ({ method, path, body }: Sent): Response => {
    if (method === 'GET') return Response.json({ email: email || null, items });
    if (refusal > 0)
      return Response.json({ statusCode: refusal, message: 'Refused.', error: 'Error' }, { status: refusal });
    if (path.endsWith('/send')) return Response.json({ state });
    if (method === 'DELETE') {
      items.splice(0, 1);
      return new Response(null, { status: 204 });
    }
    const created = { id: items.length + 1, isEnabled: true, createdAt: '2026-07-01T00:00:00Z', ...body };
    const subscription = { ...created, nextRunAt: '2026-07-02T07:00:00.000Z' } as unknown as DashboardSubscription;
    items.unshift(subscription);
    return Response.json(subscription);
  };
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), location.href);
    if (url.hostname !== 'platform.example') return fetch(input, init);
    const body = init?.body ? JSON.parse(String(init.body)) : null;
    sent.push({ method: init?.method ?? 'GET', path: url.pathname, body });
    return answer(sent.at(-1) as Sent);
  };
  return { sent, items, writes: () => sent.filter(({ method }) => method !== 'GET') };
}

async function page(settings: EmbedSessionSettings = { allowSubscriptions: true }, locale: string | null = null) {
  const published = dashboard([chartWidget(1)], [carrierReport(1)]);
  const { element, session } = await dashboardPage(published, (session, made) => {
    session.settings = settings;
    made.timezone = 'Europe/Berlin';
    made.locale = locale;
    made.filters = { 'flights.carrier': { operator: 'equals', value: ['AA'] } };
  });
  const inner = () => element.renderRoot.querySelector<PaSubscribe>('pa-subscribe');
  return { element, session, published, inner };
}

const root = (inner: PaSubscribe | null) => inner?.shadowRoot ?? null;
const find = <E extends HTMLElement>(inner: PaSubscribe | null, selector: string) =>
  root(inner)?.querySelector<E>(selector);
const textOf = (inner: PaSubscribe | null) => find(inner, 'dialog')?.textContent?.replace(/\s+/g, ' ') ?? '';

/** Opens the dialog and resolves once it shows the subscriptions. */
async function open(inner: () => PaSubscribe | null, loaded = '#own'): Promise<PaSubscribe> {
  await eventually(() => find(inner(), '[part=subscribe-button]'), 'the button is shown');
  find(inner(), '[part=subscribe-button]')?.click();
  await eventually(
    () => find<HTMLDialogElement>(inner(), 'dialog')?.open && find(inner(), loaded),
    'the dialog is loaded',
  );
  return inner() as PaSubscribe;
}

/** Chooses a value of a select, as a user does. */
async function select(inner: PaSubscribe, name: string, value: string): Promise<void> {
  const field = find<HTMLSelectElement>(inner, `[name=${name}]`);
  if (!field) throw new Error(`no field ${name}`);
  field.value = value;
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await inner.updateComplete;
}

const submit = (inner: PaSubscribe) => find<HTMLButtonElement>(inner, '[type=submit]')?.click();
const action = (inner: PaSubscribe, label: string) =>
  [...(root(inner)?.querySelectorAll('button') ?? [])].find(each => each.textContent?.trim() === label);

afterEach(() => {
  globalThis.fetch = fetch;
  document.body.replaceChildren();
});

describe('subscriptions', () => {
  it('are not offered unless the session allows them', async () => {
    for (const settings of [{}, { allowSubscriptions: false }]) {
      const { inner } = await page(settings);
      expect(inner()).to.equal(null);
    }
  });

  it('are made with the control values, language and time zone of the dashboard', async () => {
    const { writes } = serveSubscriptions();
    const { inner, published } = await page();
    const subscribe = await open(inner);
    expect(textOf(subscribe)).to.include('ann@example.com').and.include('You have no subscriptions');
    await select(subscribe, 'frequency', 'WEEKLY');
    await select(subscribe, 'weekday', '5');
    await select(subscribe, 'format', 'pdf');
    submit(subscribe);
    await eventually(() => find(subscribe, 'li'), 'the subscription is listed');
    expect(writes()).to.deep.equal([
      {
        method: 'POST',
        path: `/api/v1/embed/dashboard/${published.publicId}/subscriptions`,
        body: {
          scheduleType: 'WEEKLY',
          hour: 9,
          minute: 0,
          dayOfWeek: 5,
          timezone: 'Europe/Berlin',
          notificationFormat: 'pdf',
          locale: 'en',
          filters: [{ member: 'flights.carrier', operator: 'equals', value: ['AA'] }],
          timeGrains: [],
          memberSwitchers: [],
        },
      },
    ]);
    expect(find(subscribe, 'li')?.textContent).to.include('Every week on Friday at 9:00').and.include('Carrier is AA');
    expect(find(subscribe, '[role=status]')?.textContent).to.equal('Subscribed');
  });

  it('are sent now and ended by their subscriber, who keeps keyboard focus in the dialog', async () => {
    const { items, writes } = serveSubscriptions();
    const { inner } = await page();
    const subscribe = await open(inner);
    submit(subscribe);
    await eventually(() => find(subscribe, 'li'), 'the subscription is listed');
    action(subscribe, 'Send now')?.click();
    await eventually(() => find(subscribe, '[role=status]')?.textContent === 'Sent', 'the result is announced');
    action(subscribe, 'Unsubscribe')?.click();
    await eventually(() => root(subscribe)?.activeElement?.id === 'own', 'focus is on the list');
    expect(items).to.deep.equal([]);
    expect(find(subscribe, 'li')).to.equal(null);
    expect(writes().map(({ method, path }) => `${method} ${path.split('/').slice(6).join('/')}`)).to.deep.equal([
      'POST subscriptions',
      'POST subscriptions/1/send',
      'DELETE subscriptions/1',
    ]);
  });

  it('state why an action failed', async () => {
    for (const [refusal, reason] of [
      [409, 'the maximum number of subscriptions'],
      [403, 'You don’t have access to this'],
    ] as const) {
      serveSubscriptions({ refusal });
      const { inner } = await page();
      const subscribe = await open(inner);
      submit(subscribe);
      await eventually(
        () => find(subscribe, '[role=alert]')?.textContent?.includes(reason),
        `the dialog says ${reason}`,
      );
      document.body.replaceChildren();
    }
  });

  it('state that a message could not be sent', async () => {
    serveSubscriptions({ state: 'dead' });
    const { inner } = await page();
    const subscribe = await open(inner);
    submit(subscribe);
    await eventually(() => find(subscribe, 'li'), 'the subscription is listed');
    action(subscribe, 'Send now')?.click();
    await eventually(() => find(subscribe, '[role=alert]')?.textContent === 'The message could not be sent.');
  });

  it('require an email address in the session', async () => {
    serveSubscriptions({ email: '' });
    const { inner } = await page();
    const subscribe = await open(inner, '[part=notice]');
    expect(textOf(subscribe)).to.include('No email address');
    expect(find(subscribe, 'form')).to.equal(null);
  });

  it('close by Escape, and focus returns to the button', async () => {
    serveSubscriptions();
    const { inner } = await page();
    await eventually(() => find(inner(), '[part=subscribe-button]'), 'the button is shown');
    find(inner(), '[part=subscribe-button]')?.focus();
    const subscribe = await open(inner);
    expect(root(subscribe)?.activeElement?.id).to.equal('title');
    find<HTMLDialogElement>(subscribe, 'dialog')?.close();
    await eventually(
      () => root(subscribe)?.activeElement?.matches('[part=subscribe-button]'),
      'focus is on the button',
    );
  });

  for (const locale of ['en', 'ar']) {
    it(`have no axe violations, ${locale}`, async () => {
      serveSubscriptions();
      const { inner } = await page(undefined, locale);
      const subscribe = await open(inner);
      submit(subscribe);
      await eventually(() => find(subscribe, 'li'), 'the subscription is listed');
      await expect(subscribe).to.be.accessible();
    });
  }
});
