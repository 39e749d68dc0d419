import { PaError, PaErrorCode } from '../../../src/client/errors.js';
import type { PlatformConnection } from '../../../src/client/http/connection.js';
import type { MetaResponse } from '../../../src/contract/meta.js';
import { SessionStatus } from '../../../src/controllers/session/session-context.js';
import type { PaWorkbookEditor } from '../../../src/elements/workbook/editor/workbook-editor-element.js';
import '../../../src/elements/workbook/pa-workbook.js';
import type { PaWorkbook } from '../../../src/elements/workbook/workbook-element.js';
import { CreatorSession } from '../creator/fake-platform.js';
import { eventually } from '../eventually.js';
import { count, provide, rowSet } from '../fake-session.js';

const model: MetaResponse = {
  cubes: [
    {
      name: 'flights',
      title: 'Flights',
      type: 'view',
      measures: [
        { name: 'flights.count', title: 'Flights Count', shortTitle: 'Count', type: 'number', aggType: 'count' },
      ],
      dimensions: [{ name: 'flights.carrier', title: 'Flights Carrier', shortTitle: 'Carrier', type: 'string' }],
      segments: [],
    },
  ],
};

const [flights] = model.cubes;
const destination = {
  name: 'flights.destination',
  title: 'Flights Destination',
  shortTitle: 'Destination',
  type: 'string',
} as const;
/** The model with a second dimension. */
export const withDestination: MetaResponse = {
  cubes: flights ? [{ ...flights, dimensions: [...flights.dimensions, destination] }] : [],
};

/** Returns a tile of a report. */
export const tile = (id: string, reportId: number, x: number) => ({
  id,
  type: 'CHART',
  position: { x, y: 0, w: 6, h: 4 },
  config: { reportId },
});

interface Version {
  readonly versionNumber: number;
  readonly config: { readonly widgets: readonly object[] };
  readonly reportSnapshots: readonly object[];
}

const listed = ({ versionNumber, config }: Version) => ({
  versionNumber,
  createdAt: '2026-01-02T03:04:05Z',
  isCurrent: versionNumber === 2,
  widgetCount: config.widgets.length,
  publishedBy: { id: 1, email: 'ann@acme.example', firstName: 'Ann' },
});
/** Returns the report of a version. */
export const frozen = (reportId: number) => ({
  id: 10 + reportId,
  reportId,
  versionNumber: 1,
  kind: 'kpi',
  name: `Report ${reportId}`,
  meta: { jsonQuery: { measures: ['flights.count'] } },
});

/** A workbook with one draft, in memory. */
export class WorkbookSession extends CreatorSession {
  override model = model;
  draft: Record<string, unknown> = { widgets: [tile('a', 1, 0), tile('b', 2, 6)] };
  revision = 1;
  name = 'Weekly';
  isOffline = false;
  access: object = access;
  /** Shares with the tenant that were set. */
  readonly shares: unknown[] = [];
  versions: Version[] = [];
  /** Reports that were created. */
  readonly created: object[] = [];
  /** Drafts that were stored. */
  readonly stored: unknown[] = [];

  override authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    if (this.status !== SessionStatus.ended) return super.authorize(call);
    return Promise.reject(new PaError(PaErrorCode.sessionEnded, 'The session has ended.'));
  }

  protected override async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace('/api/v1/deployments/1', '');
    if (this.isOffline) throw new TypeError('Failed to fetch');
    const draftRevision = String(this.revision);
    if (path === '/workbooks/1')
      return Response.json({ ...workbook, name: this.name, dashboardDraft: this.draft, draftRevision });
    if (path === '/workbooks/1/embed-access' && request.method === 'PUT') {
      this.shares.push((await request.json()).action);
    }
    if (path === '/workbooks/1/embed-access') return Response.json(this.access);
    if (path === '/workbooks/1/dashboard/versions') return Response.json({ items: this.versions.map(listed) });
    if (path.startsWith('/workbooks/1/dashboard/versions/')) {
      const version = this.versions.find(({ versionNumber }) => path.endsWith(`/${versionNumber}`));
      return Response.json(version && { ...listed(version), ...version });
    }
    if (path === '/reports' && request.method === 'POST') {
      this.created.push(await request.json());
      return Response.json({ ...report(9), ...this.created.at(-1) });
    }
    if (/^\/reports\/[12]$/.test(path)) return Response.json(report(Number(path.slice(-1))));
    if (path.startsWith('/reports/')) return Response.json({ message: 'Gone.', error: 'Not found' }, { status: 404 });
    if (path === '/reports') {
      const items = [report(1), report(2)];
      return Response.json({ items, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
    }
    const body = await request.json();
    if (path === '/workbooks/1/publish') return Response.json(published);
    if (path !== '/workbooks/1/dashboard') throw new Error(`The fake platform has no ${path}.`);
    if (body.draftRevision !== draftRevision) {
      const answer = { statusCode: 409, message: 'Changed.', error: 'Conflict', code: 'draft_changed' };
      return Response.json(answer, { status: 409 });
    }
    this.draft = body.dashboardDraft;
    this.stored.push(body.dashboardDraft);
    this.revision += 1;
    return Response.json({ dashboardDraft: this.draft, draftRevision: String(this.revision) });
  }
}

const at = { createdAt: '2026-01-02T03:04:05Z', updatedAt: '2026-01-02T03:04:05Z', deploymentId: 1 };
const workbook = { ...at, calculatedFields: {}, id: 1, meta: {}, name: 'Weekly', type: 'WORKBOOK' };
/** A workbook that is not shared. */
export const access = { allowEmbed: false, allEmbedUsers: { enabled: false, action: 'none' }, tenants: [] };
const published = {
  allowEmbed: true,
  config: {},
  deploymentId: 1,
  id: 1,
  publicId: 'Dashboard001',
  reportSnapshots: [],
  status: 'published',
  versionId: 1,
  versionNumber: 1,
  workbookId: 1,
};
const user = { id: 1, email: 'ann@acme.example' };
const report = (id: number) => ({
  ...at,
  id,
  name: `Report ${id}`,
  publicId: `00000000000${id}`,
  refreshedByUser: user,
  type: 'REPORT',
  user,
  userId: 1,
  jsonQuery: JSON.stringify({ measures: ['flights.count'] }),
  meta: { kind: 'kpi' },
});

/** Shows the editor of a workbook. */
export async function show(prepare: (session: WorkbookSession) => void = () => {}) {
  const session = new WorkbookSession();
  session.answers = () => rowSet([count], [{ 'flights.count': '7' }]);
  prepare(session);
  const parent = provide(session);
  const element: PaWorkbook = Object.assign(document.createElement('pa-workbook'), { workbookId: 1 });
  parent.append(element);
  document.body.append(parent);
  const find = () => element.renderRoot.querySelector('pa-workbook-editor');
  await eventually(() => find()?.shadowRoot?.querySelector('pa-edit-grid, .panel.empty'));
  const editor = find();
  if (!editor) throw new Error('There is no editor.');
  return { element, editor, session };
}

/** Returns the root of the grid. */
export const grid = (editor: PaWorkbookEditor): ShadowRoot => {
  const root = editor.renderRoot.querySelector('pa-edit-grid')?.shadowRoot;
  if (!root) throw new Error('There is no grid.');
  return root;
};
/** Returns the root of the open dialog. */
export const dialogs = (editor: PaWorkbookEditor): ShadowRoot | null =>
  editor.renderRoot.querySelector('pa-editor-dialog')?.shadowRoot ?? null;
/** Returns the ids of the tiles in reading order. */
export const ids = (editor: PaWorkbookEditor): (string | undefined)[] =>
  [...grid(editor).querySelectorAll<HTMLElement>('.tile[data-id]')].map(({ dataset }) => dataset.id);
/** Returns the handle of a tile. */
export const handle = (editor: PaWorkbookEditor, id: string): HTMLElement => {
  const found = grid(editor).querySelector<HTMLElement>(`.tile[data-id="${id}"] .handle`);
  if (!found) throw new Error(`There is no tile ${id}.`);
  return found;
};
/** Presses a key. */
export const press = (target: HTMLElement, key: string, options: KeyboardEventInit = {}): void => {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, ...options }));
};
/** Returns the columns of a tile. */
export const column = (editor: PaWorkbookEditor, id: string): string | undefined =>
  handle(editor, id).closest<HTMLElement>('.tile')?.style.gridColumn;
/** Returns the text of the editor. */
export const text = (editor: PaWorkbookEditor): string => editor.renderRoot.textContent?.replace(/\s+/g, ' ') ?? '';
/** Returns the button with this label. */
export const button = (editor: PaWorkbookEditor, label: string): HTMLButtonElement => {
  const found = [...editor.renderRoot.querySelectorAll('button')].find(
    each => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === label,
  );
  if (!found) throw new Error(`There is no button ${label}.`);
  return found;
};
