import { expect } from '@open-wc/testing';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { CreatorSession } from '../creator/fake-platform.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, oneNumber, provide, snapshot } from '../fake-session.js';

const at = { createdAt: '2026-01-02T03:04:05Z', updatedAt: '2026-01-02T03:04:05Z', deploymentId: 1 };
const workbook = { ...at, calculatedFields: {}, id: 1, meta: {}, name: 'Weekly', type: 'WORKBOOK' };
const access = { allowEmbed: true, allEmbedUsers: { enabled: false, action: 'none' }, tenants: [] };
const page = { items: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } };

/** A session in creator mode whose user may edit workbook 1. */
class EditorSession extends CreatorSession {
  mayEdit = true;
  /** Paths of all requests. */
  readonly paths: string[] = [];

  protected override async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace('/api/v1/deployments/1', '');
    this.paths.push(path);
    if (!this.mayEdit) return Response.json({ message: 'No.', error: 'No' }, { status: 404 });
    if (path === '/workbooks/1/dashboard/versions') return Response.json({ items: [] });
    if (path === '/workbooks/1/embed-access') return Response.json(access);
    if (path === '/reports') return Response.json(page);
    if (path === '/workbooks/1/publish') return Response.json(published);
    return Response.json({ ...workbook, dashboardDraft: { widgets: [] }, draftRevision: '1' });
  }
}

const published = dashboard([chartWidget(0)], [snapshot(0)]);
const viewer = JSON.stringify({ creatorMode: false, deploymentId: 1, embedTenantName: 'acme' });

interface Shown {
  readonly session: EditorSession;
  readonly elements: readonly PaDashboard[];
}

async function show(prepare: (session: EditorSession) => void = () => {}, count = 1): Promise<Shown> {
  const session = new EditorSession();
  session.dashboards = async () => published;
  session.answers = () => oneNumber;
  prepare(session);
  const provider = provide(session);
  const elements = Array.from({ length: count }, () => document.createElement('pa-dashboard'));
  for (const element of elements) {
    element.publicId = 'Dashboard001';
    element.editable = true;
    provider.append(element);
  }
  document.body.append(provider);
  for (const element of elements) await element.loadAll();
  return { session, elements };
}

const editButton = (element: PaDashboard | undefined): HTMLButtonElement | null =>
  element?.renderRoot.querySelector('pa-edit-button')?.shadowRoot?.querySelector('button') ?? null;
const editor = (element: PaDashboard | undefined) => element?.renderRoot.querySelector('pa-dashboard-editor');
const editorRoot = (element: PaDashboard | undefined) =>
  editor(element)?.shadowRoot?.querySelector('pa-workbook-editor')?.shadowRoot;

afterEach(() => document.body.replaceChildren());

describe('an editable dashboard', () => {
  it('is edited in place, independently of another one on the page, and shows what was published', async () => {
    const { elements, session } = await show(() => {}, 2);
    const [first, second] = elements;
    await eventually(() => editButton(first) && editButton(second));
    await expect(first).to.be.accessible();
    if (first) first.restrictions = { hiddenTools: ['text', 'versions'] };
    editButton(first)?.click();
    await eventually(() => editorRoot(first)?.querySelector('.panel.empty'));
    const tools = editorRoot(first)?.querySelector('.tools')?.textContent ?? '';
    expect(tools).to.contain('Add control').and.not.contain('Add text');
    expect(editor(second)).to.equal(null);
    expect(editButton(second)).not.to.equal(null);
    await eventually(() => editor(first)?.shadowRoot?.activeElement?.classList.contains('done'));
    const events: unknown[] = [];
    first?.addEventListener('pa-publish', ({ detail }) => events.push(detail));
    editorRoot(first)?.querySelector<HTMLElement>('.tools .primary')?.click();
    const form = () =>
      editorRoot(first)
        ?.querySelector('pa-editor-dialog')
        ?.shadowRoot?.querySelector<HTMLFormElement>('dialog[open] form');
    await eventually(() => form());
    form()?.requestSubmit();
    await eventually(() => events.length === 1);
    session.dashboards = async () => ({ ...published, config: { ...published.config, title: 'Renamed' } });
    editor(first)?.shadowRoot?.querySelector<HTMLElement>('.done')?.click();
    await eventually(() => first?.renderRoot.querySelector('#title')?.textContent?.includes('Renamed'));
    expect(editor(first) ?? null).to.equal(null);
    expect(first?.shadowRoot?.activeElement?.id).to.equal('title');
  });

  it('cannot be edited, and requests nothing, in a session without creator mode', async () => {
    const { elements, session } = await show(each => {
      each.identity = viewer;
    });
    expect(elements[0]?.renderRoot.querySelector('pa-edit-button')).to.equal(null);
    expect(session.paths).to.deep.equal([]);
  });

  it('has no button if the user may not edit the workbook', async () => {
    const { elements, session } = await show(each => {
      each.mayEdit = false;
    });
    await eventually(() => session.paths.length === 1);
    await elements[0]?.renderRoot.querySelector('pa-edit-button')?.updateComplete;
    expect(editButton(elements[0])).to.equal(null);
  });

  it('closes the editor when a user without creator mode follows', async () => {
    const { elements, session } = await show();
    const [element] = elements;
    await eventually(() => editButton(element));
    editButton(element)?.click();
    await eventually(() => editorRoot(element)?.querySelector('.panel.empty'));
    session.emit({ type: 'identity', identity: viewer });
    await eventually(() => !editor(element) && element?.renderRoot.querySelector('#title'));
    expect(element?.renderRoot.querySelector('pa-edit-button')).to.equal(null);
  });
});
