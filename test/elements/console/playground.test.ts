import { expect } from '@open-wc/testing';
import type { QuerySql } from '../../../src/client/data/generated-sql.js';
import { PaRequestError } from '../../../src/client/errors.js';
import type { Audience } from '../../../src/console/audience.js';
import '../../../src/console/main.js';
import type { PlaygroundApi } from '../../../src/console/playground-api.js';
import type { PaConsolePlayground } from '../../../src/console/playground-element.js';
import type { Query } from '../../../src/contract/query.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import { meta } from '../../console/fixtures.js';
import { eventually } from '../eventually.js';
import { FakeSession } from '../fake-session.js';

const month = (value: string, count: number) => ({
  'orders.at.month': `${value}-01T00:00:00.000`,
  'orders.count': count,
});
const rows: RowSet = {
  columns: [
    {
      member: 'orders.at.month',
      kind: 'timeDimension',
      annotation: { title: 'Date', shortTitle: 'Date', type: 'time', granularity: { name: 'month', title: 'Month' } },
    },
    { member: 'orders.count', kind: 'measure', annotation: { title: 'Count', shortTitle: 'Count', type: 'number' } },
  ],
  rows: [month('2001-01', 3), month('2001-02', 5)],
  truncated: false,
  lastRefreshTime: null,
};

/** An audience with `{"tenant": …}` sees the model; any other one sees nothing. */
class FakeApi implements PlaygroundApi {
  readonly deployments = [{ id: 1, name: 'local', deploymentUrl: location.origin, creationStep: 'ready' as const }];
  readonly attributes = [];
  readonly sessions: { readonly audience: Audience; readonly source: FakeSession; hasEnded: boolean }[] = [];
  readonly sqlQueries: Query[] = [];

  openSession(_deploymentId: number, audience: Audience) {
    const source = new FakeSession();
    source.model = { cubes: audience.securityContext.tenant ? meta.cubes : [] };
    const session = { audience, source, hasEnded: false };
    this.sessions.push(session);
    const end = (): void => {
      session.hasEnded = true;
    };
    return { source, end };
  }

  async sql(_deploymentId: number, _audience: Audience, query: Query): Promise<QuerySql> {
    this.sqlQueries.push(query);
    return { text: 'SELECT 1', parameters: ['acme'] };
  }

  get calls() {
    return this.sessions.at(-1)?.source.calls ?? [];
  }
}

async function setUp() {
  const api = new FakeApi();
  const element = document.createElement('pa-console-playground');
  element.api = api;
  element.address = { baseUrl: 'https://platform.example', dataApiPath: '/data-api' };
  document.body.append(element);
  await eventually(() => textOf(element).includes('This viewer sees no members'));
  return { api, element };
}

const roots = (root: ParentNode): ParentNode[] => [
  root,
  ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : [])),
];
const textOf = ({ shadowRoot }: Element): string =>
  shadowRoot
    ? roots(shadowRoot)
        .map(root => (root instanceof ShadowRoot ? root.textContent : ''))
        .join(' ')
    : '';

/** Finds an element in any shadow root; `null` if it is not rendered. */
function seek<T extends HTMLElement = HTMLElement>({ shadowRoot }: PaConsolePlayground, selector: string): T | null {
  const found = shadowRoot ? roots(shadowRoot).map(root => root.querySelector<T>(selector)) : [];
  return found.find(each => each !== null) ?? null;
}

function find<T extends HTMLElement = HTMLElement>(element: PaConsolePlayground, selector: string): T {
  const found = seek<T>(element, selector);
  if (!found) throw new Error(`${selector} is not rendered.`);
  return found;
}

async function viewAs(element: PaConsolePlayground, context: string): Promise<void> {
  find<HTMLTextAreaElement>(element, '#securityContext').value = context;
  find(element, '#apply').click();
}

async function setUpAsTenant() {
  const { api, element } = await setUp();
  await viewAs(element, '{"tenant": "acme"}');
  await eventually(() => api.calls.length === 1);
  return { api, element };
}

describe('<pa-console-playground>', () => {
  afterEach(() => {
    for (const element of document.querySelectorAll('pa-console-playground')) element.remove();
  });

  it('runs a first query as soon as a viewer sees members, and shows rows, SQL and code', async () => {
    const { api, element } = await setUpAsTenant();
    expect(api.sessions.map(({ audience, hasEnded }) => [audience.securityContext, hasEnded])).to.deep.equal([
      [{}, true],
      [{ tenant: 'acme' }, false],
    ]);
    api.calls[0]?.answer(rows);
    await eventually(() => seek(element, '.facts')?.textContent.includes('2 rows'));
    find(element, '#tab-sql').click();
    await eventually(() => seek(element, 'pre.sql')?.textContent === 'SELECT 1\n-- $1 = "acme"');
    find(element, '#tab-yaml').click();
    await eventually(() => seek(element, 'pre.yaml')?.textContent.includes('name: Count by Date (month)'));
    await expect(element).to.be.accessible();
  });

  it('runs the selected members, and cancels on request', async () => {
    const { api, element } = await setUpAsTenant();
    api.calls[0]?.answer(rows);
    await eventually(() => seek(element, '.facts')?.textContent.includes('2 rows'));
    find(element, '[data-member="orders.status"]').click();
    find(element, '[data-filter="orders.paid"]').click();
    await eventually(() => textOf(element).includes('The query has changed.'));
    find(element, '#run').click();
    await eventually(() => api.calls.length === 2);
    expect(api.calls[1]?.query).to.deep.include({ measures: ['orders.count'], dimensions: ['orders.status'] });
    expect(api.sqlQueries[1]).to.deep.equal(api.calls[1]?.query);
    await eventually(() => seek(element, '#cancel'));
    find(element, '#cancel').click();
    await eventually(() => textOf(element).includes('Canceled.'));
    expect(api.calls[1]?.signal?.aborted).to.equal(true);
  });

  it('shows the reason of a failure instead of the rows', async () => {
    const { api, element } = await setUpAsTenant();
    api.calls[0]?.fail(new PaRequestError('bad_request', 'No join path between A and B.', { requestId: 'r-1' }));
    await eventually(() => seek(element, '[role=alert].failure')?.textContent.includes('No join path'));
    expect(textOf(element)).to.contain('r-1');
  });

  it('shows no rows of the previous viewer', async () => {
    const { api, element } = await setUpAsTenant();
    const [first] = api.calls;
    await viewAs(element, '{"tenant": "other"}');
    await eventually(() => api.sessions.length === 3);
    first?.answer(rows);
    await eventually(() => api.calls.length === 1);
    expect(textOf(element)).not.to.contain('2 rows');
    expect(first?.signal?.aborted).to.equal(true);
  });

  it('says what is wrong with a security context, and sends nothing', async () => {
    const { api, element } = await setUp();
    await viewAs(element, '{tenant}');
    await eventually(() => seek(element, '#problem')?.textContent.includes('Enter a JSON object'));
    expect(api.sessions).to.have.lengthOf(1);
  });
});
