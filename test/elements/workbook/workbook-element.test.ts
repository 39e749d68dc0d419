import { expect } from '@open-wc/testing';
import type { MetaResponse } from '../../../src/contract/meta.js';
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
const withDestination: MetaResponse = {
  cubes: flights ? [{ ...flights, dimensions: [...flights.dimensions, destination] }] : [],
};

const tile = (id: string, reportId: number, x: number) => ({
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
const frozen = (reportId: number) => ({
  id: 10 + reportId,
  reportId,
  versionNumber: 1,
  kind: 'kpi',
  name: `Report ${reportId}`,
  meta: { jsonQuery: { measures: ['flights.count'] } },
});

/** A workbook with one draft, in memory. */
class WorkbookSession extends CreatorSession {
  override model = model;
  draft: Record<string, unknown> = { widgets: [tile('a', 1, 0), tile('b', 2, 6)] };
  revision = 1;
  isOffline = false;
  access: object = access;
  /** Shares with the tenant that were set. */
  readonly shares: unknown[] = [];
  versions: Version[] = [];
  /** Reports that were created. */
  readonly created: object[] = [];
  /** Drafts that were stored. */
  readonly stored: unknown[] = [];

  protected override async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace('/api/v1/deployments/1', '');
    if (this.isOffline) throw new TypeError('Failed to fetch');
    const draftRevision = String(this.revision);
    if (path === '/workbooks/1') return Response.json({ ...workbook, dashboardDraft: this.draft, draftRevision });
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
const access = { allowEmbed: false, allEmbedUsers: { enabled: false, action: 'none' }, tenants: [] };
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

async function show(prepare: (session: WorkbookSession) => void = () => {}) {
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

const grid = (editor: PaWorkbookEditor): ShadowRoot => {
  const root = editor.renderRoot.querySelector('pa-edit-grid')?.shadowRoot;
  if (!root) throw new Error('There is no grid.');
  return root;
};
const dialogs = (editor: PaWorkbookEditor): ShadowRoot | null =>
  editor.renderRoot.querySelector('pa-editor-dialog')?.shadowRoot ?? null;
const ids = (editor: PaWorkbookEditor): (string | undefined)[] =>
  [...grid(editor).querySelectorAll<HTMLElement>('.tile[data-id]')].map(({ dataset }) => dataset.id);
const handle = (editor: PaWorkbookEditor, id: string): HTMLElement => {
  const found = grid(editor).querySelector<HTMLElement>(`.tile[data-id="${id}"] .handle`);
  if (!found) throw new Error(`There is no tile ${id}.`);
  return found;
};
const press = (target: HTMLElement, key: string, options: KeyboardEventInit = {}): void => {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, ...options }));
};
const column = (editor: PaWorkbookEditor, id: string): string | undefined =>
  handle(editor, id).closest<HTMLElement>('.tile')?.style.gridColumn;
const text = (editor: PaWorkbookEditor): string => editor.renderRoot.textContent?.replace(/\s+/g, ' ') ?? '';
const button = (editor: PaWorkbookEditor, label: string): HTMLButtonElement => {
  const found = [...editor.renderRoot.querySelectorAll('button')].find(
    each => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === label,
  );
  if (!found) throw new Error(`There is no button ${label}.`);
  return found;
};

afterEach(() => {
  document.documentElement.removeAttribute('dir');
  document.body.replaceChildren();
});

describe('editor', () => {
  for (const [scheme, dir] of [
    ['light', 'ltr'],
    ['dark', 'ltr'],
    ['light', 'rtl'],
  ] as const) {
    it(`has no axe violations, ${scheme}, ${dir}`, async () => {
      document.body.style.setProperty('color-scheme', scheme);
      document.body.style.setProperty('background', scheme === 'dark' ? '#0f1116' : '#f6f7f9');
      document.documentElement.dir = dir;
      const { element, editor } = await show();
      await eventually(() => grid(editor).querySelector('pa-tile')?.outcome === 'shown');
      await expect(element).to.be.accessible();
      button(editor, 'Publish').click();
      await eventually(() => dialogs(editor)?.querySelector('dialog[open]'));
      await expect(element).to.be.accessible();
      dialogs(editor)?.querySelector('dialog')?.close();
      button(editor, 'Add chart').click();
      const explore = () => editor.renderRoot.querySelector('pa-explore')?.shadowRoot;
      await eventually(() => explore()?.querySelector('pa-member-picker')?.shadowRoot?.querySelector('[data-member]'));
      explore()?.querySelector('pa-member-picker')?.shadowRoot?.querySelector<HTMLElement>('[data-member]')?.click();
      await eventually(() => explore()?.querySelector('.looks'));
      await expect(element).to.be.accessible();
    });
  }

  it('moves and resizes a tile by keyboard, announces it, undoes it, and stores it', async () => {
    const { editor, session } = await show();
    press(handle(editor, 'a'), 'ArrowRight', { shiftKey: true });
    await eventually(() => column(editor, 'a') === '1 / span 7');
    expect(grid(editor).querySelector('[role=status]')?.textContent).to.equal(
      'Report 1: column 1, row 1, 7 wide, 4 high.',
    );
    await eventually(() => session.stored.length === 1);
    button(editor, 'Undo').click();
    await eventually(() => column(editor, 'a') === '1 / span 6');
    await eventually(() => session.stored.length === 2);
    expect(session.draft).to.deep.equal({ widgets: [tile('a', 1, 0), tile('b', 2, 6)] });
    expect(text(editor)).to.contain('Saved as draft');
  });

  it('moves a tile in the direction of the arrow on right-to-left pages', async () => {
    document.documentElement.dir = 'rtl';
    const { editor } = await show();
    press(handle(editor, 'b'), 'ArrowRight');
    await eventually(() => column(editor, 'b') === '6 / span 6');
  });

  it('keeps the focus when tiles are removed, moved and restored, so that the next key reaches the editor', async () => {
    const { editor } = await show();
    /** Resolves before the next task or frame, in which the page could receive another key. */
    const updated = async () => {
      for (let count = 0; count < 50; count += 1) await Promise.resolve();
    };
    const focusedTile = () => grid(editor).activeElement?.closest<HTMLElement>('.tile')?.dataset.id;
    handle(editor, 'b').focus();
    press(handle(editor, 'b'), 'ArrowLeft');
    await updated();
    expect(ids(editor)).to.deep.equal(['b', 'a']);
    expect(focusedTile()).to.equal('b');
    press(handle(editor, 'b'), 'Delete');
    await updated();
    expect(ids(editor)).to.deep.equal(['a']);
    expect(focusedTile()).to.equal('a');
    press(handle(editor, 'a'), 'Delete');
    await updated();
    expect(editor.shadowRoot?.activeElement?.getAttribute('aria-label')).to.equal('Undo');
    press(button(editor, 'Undo'), 'z', { ctrlKey: true });
    await updated();
    expect(ids(editor)).to.deep.equal(['a']);
  });

  it('stores changes after a lost connection', async () => {
    const { editor, session } = await show();
    session.isOffline = true;
    press(handle(editor, 'a'), 'Delete');
    await eventually(() => text(editor).includes('Offline: changes are saved when you reconnect'));
    session.isOffline = false;
    window.dispatchEvent(new Event('online'));
    await eventually(() => text(editor).includes('Saved as draft'));
    expect(session.draft).to.deep.equal({ widgets: [{ ...tile('b', 2, 6), position: { x: 6, y: 0, w: 6, h: 4 } }] });
  });

  it('does not overwrite the draft of another editor: keeps mine or takes theirs, which can be undone', async () => {
    const { editor, session } = await show();
    session.draft = { widgets: [tile('c', 1, 0)] };
    session.revision += 1;
    press(handle(editor, 'a'), 'Delete');
    await eventually(() => text(editor).includes('Nothing is lost'));
    expect(session.stored).to.deep.equal([]);
    button(editor, 'Use the other version').click();
    await eventually(() => ids(editor).join() === 'c');
    button(editor, 'Undo').click();
    await eventually(() => ids(editor).join() === 'b');
    await eventually(() => session.stored.length === 1);
  });

  it('states that the report of a tile was deleted, and retains the tile', async () => {
    const { editor } = await show(session => {
      session.draft = { widgets: [tile('a', 1, 0), tile('gone', 99, 6)] };
    });
    await eventually(() => grid(editor).textContent?.includes('The report of this tile was deleted.'));
    expect(ids(editor)).to.deep.equal(['a', 'gone']);
  });

  it('adds, changes and removes a control', async () => {
    const { element, editor, session } = await show();
    const dialog = () => dialogs(editor)?.querySelector('pa-control-dialog')?.shadowRoot;
    const submit = async (title: string) => {
      await eventually(() => dialog()?.querySelector('option[value="flights.carrier"]'));
      await expect(element).to.be.accessible();
      const field = dialog()?.querySelector('input');
      if (field) field.value = title;
      dialog()?.querySelector('form')?.requestSubmit();
      await eventually(() => !dialog());
    };
    button(editor, 'Add control').click();
    await submit('');
    await eventually(() => session.stored.length === 1);
    const position = { x: 0, y: 0, w: 3, h: 1 };
    const control = { id: 'widget-3', type: 'FILTER', position, config: { member: 'flights.carrier' } };
    expect(session.draft).to.deep.equal({ widgets: [tile('a', 1, 0), tile('b', 2, 6), control] });
    button(editor, 'Change Carrier').click();
    await submit('Airline');
    await eventually(() => editor.shadowRoot?.activeElement?.getAttribute('aria-label') === 'Change Airline');
    button(editor, 'Remove Airline').click();
    await eventually(() => text(editor).includes('Airline was removed.'));
    await eventually(() => session.stored.length > 1 && text(editor).includes('Saved as draft'));
    expect(session.draft).to.deep.equal({ widgets: [tile('a', 1, 0), tile('b', 2, 6)] });
    button(editor, 'Undo').click();
    await eventually(() => editor.renderRoot.querySelector('[data-control]'));
  });

  const control = (id: string, type: string, config: object) => ({
    id,
    type,
    position: tile('', 0, 0).position,
    config,
  });
  const carrier = control('f', 'FILTER', { member: 'flights.carrier', value: ['AA'] });

  it('filters the tiles with the controls, also in a preview, without an event or a change of the draft', async () => {
    const { element, editor, session } = await show(each => {
      each.draft = { widgets: [tile('a', 1, 0), carrier] };
    });
    const filters = () => session.calls.map(({ query }) => JSON.stringify(query.filters ?? []));
    await eventually(() => filters().some(each => each.includes('"AA"')));
    const events: Event[] = [];
    element.addEventListener('pa-filter-change', event => events.push(event));
    const bar = () => grid(editor).querySelector('pa-controls');
    await eventually(() => bar()?.controls.length === 1);
    const state = bar()?.controls[0];
    if (state) bar()?.chooser?.choose(state.control, { operator: 'equals', value: ['DL'] });
    await eventually(() => filters().some(each => each.includes('"DL"')));
    await eventually(() => grid(editor).querySelector('pa-tile')?.outcome === 'shown');
    await expect(element).to.be.accessible();
    const choice = editor.renderRoot.querySelector<HTMLSelectElement>('.preview');
    if (choice) choice.value = 'phone';
    choice?.dispatchEvent(new Event('change'));
    await eventually(() => bar()?.hasAttribute('narrow') && !editor.renderRoot.querySelector('[data-control]'));
    expect(events).to.deep.equal([]);
    expect(session.stored).to.deep.equal([]);
  });

  it('adds a choice of fields, and presets with the current values of other controls', async () => {
    const { element, editor, session } = await show(each => {
      each.model = withDestination;
      each.draft = { widgets: [tile('a', 1, 0), carrier] };
    });
    const dialog = () => dialogs(editor)?.querySelector('pa-control-dialog')?.shadowRoot;
    const submit = () => dialog()?.querySelector('form')?.requestSubmit();
    const open = async (kind: string) => {
      button(editor, 'Add control').click();
      await eventually(() => dialog()?.querySelector('option[value="flights.carrier"]'));
      const select = dialog()?.querySelector<HTMLSelectElement>('[name=kind]');
      if (select) select.value = kind;
      select?.dispatchEvent(new Event('change'));
      await eventually(() => dialog()?.querySelector('fieldset'));
      await expect(element).to.be.accessible();
      const title = dialog()?.querySelector<HTMLInputElement>('[name=title]');
      if (title) title.value = kind;
      submit();
      await eventually(() => dialog()?.querySelector('[role=alert]')?.textContent);
    };
    await open('FIELD');
    const member = dialog()?.querySelector<HTMLSelectElement>('[name=member]');
    if (member) member.value = 'flights.carrier';
    member?.dispatchEvent(new Event('change'));
    await eventually(() => dialog()?.querySelector('[value="flights.destination"][type=checkbox]'));
    dialog()?.querySelector<HTMLElement>('[value="flights.destination"][type=checkbox]')?.click();
    submit();
    await eventually(() => !dialog());
    await open('PARENT');
    const name = dialog()?.querySelector<HTMLInputElement>('.preset');
    if (name) name.value = 'Only AA';
    name?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }));
    await eventually(() => dialog()?.querySelector('.presets')?.textContent?.includes('sets Carrier'));
    submit();
    await eventually(() => !dialog());
    await eventually(() => JSON.stringify(session.draft).includes('PARENT'));
    const widgets = Array.isArray(session.draft.widgets) ? session.draft.widgets : [];
    expect(widgets.slice(2).map(({ type, config }) => ({ type, config }))).to.deep.equal([
      { type: 'FIELD', config: { member: 'flights.carrier', members: ['flights.destination'], title: 'FIELD' } },
      {
        type: 'PARENT',
        config: {
          title: 'PARENT',
          options: [{ id: 'option-1', title: 'Only AA', controls: { f: { value: ['AA'] } } }],
        },
      },
    ]);
  });

  it('moves tiles into a container and out of it, and keeps fields of a control that the form does not show', async () => {
    const members = ['other.thing', 'flights.destination'];
    const choice = { ...carrier, id: 'c', type: 'FIELD', config: { member: 'flights.carrier', title: 'By', members } };
    const { element, editor, session } = await show(each => {
      each.model = withDestination;
      each.draft = { widgets: [tile('a', 1, 0), tile('b', 2, 6), choice] };
    });
    button(editor, 'Add container').click();
    const container = () => dialogs(editor)?.querySelector('pa-container-dialog')?.shadowRoot;
    await eventually(() => container()?.querySelector('[name=add]'));
    const add = container()?.querySelector<HTMLSelectElement>('[name=add]');
    if (add) add.value = 'b';
    add?.dispatchEvent(new Event('change'));
    await eventually(() => container()?.querySelector('li[data-id=b]'));
    await expect(element).to.be.accessible();
    container()?.querySelector('form')?.requestSubmit();
    await eventually(() => grid(editor).querySelector('.inside'));
    expect(ids(editor)).to.deep.equal(['a', 'widget-4']);
    await eventually(() => !container());
    button(editor, 'Undo').click();
    await eventually(() => ids(editor).join() === 'a,b');

    button(editor, 'Change By').click();
    const control = () => dialogs(editor)?.querySelector('pa-control-dialog')?.shadowRoot;
    await eventually(() => control()?.querySelector('[value="flights.destination"][type=checkbox]'));
    control()?.querySelector('form')?.requestSubmit();
    await eventually(() => !control());
    await editor.updateComplete;
    await eventually(() => JSON.stringify(session.draft).includes('other.thing'));
    expect(JSON.stringify(session.draft)).to.include(JSON.stringify(members));
  });

  it('starts from a template of the page, as one step that can be undone', async () => {
    const { element, editor, session } = await show(each => {
      each.draft = { widgets: [] };
    });
    const chart = { title: 'All', query: { measures: ['flights.count'] }, meta: { kind: 'kpi' }, w: 3, h: 4 };
    element.restrictions = { templates: [{ name: 'Basics', charts: [chart] }] };
    const offered = () => [
      ...(editor.renderRoot.querySelector('pa-templates')?.shadowRoot?.querySelectorAll('button') ?? []),
    ];
    await eventually(() => offered().length === 2);
    expect(offered().map(each => each.querySelector('strong')?.textContent)).to.deep.equal([
      'Basics',
      'Overview: Flights',
    ]);
    await expect(element).to.be.accessible();
    offered()[0]?.click();
    await eventually(() => editor.renderRoot.querySelector('pa-edit-grid'));
    expect(session.created).to.have.length(1);
    expect(ids(editor)).to.deep.equal(['widget-1']);
    button(editor, 'Undo').click();
    await eventually(() => editor.renderRoot.querySelector('.panel.empty'));
  });

  it('shows the layout of narrow pages, in which tiles cannot be changed', async () => {
    const { editor } = await show();
    const choice = editor.renderRoot.querySelector<HTMLSelectElement>('.preview');
    if (!choice) throw new Error('There is no choice of the width.');
    choice.value = 'phone';
    choice.dispatchEvent(new Event('change'));
    await eventually(() => !grid(editor).querySelector('button'));
    expect(grid(editor).querySelector<HTMLElement>('.tile[data-id="b"]')?.style.gridColumn).to.equal('1 / span 2');
    expect(editor.renderRoot.querySelector('pa-edit-grid')?.clientWidth).to.equal(390);
    choice.value = 'desktop';
    choice.dispatchEvent(new Event('change'));
    await eventually(() => grid(editor).querySelector('.handle'));
    expect(column(editor, 'b')).to.equal('7 / span 6');
  });

  it('offers only the tools, members and looks that the page allows', async () => {
    const { element, editor } = await show();
    element.restrictions = { looks: ['table'], members: ['flights.count'], hiddenTools: ['controls', 'text'] };
    await eventually(() => !text(editor).includes('Add control') && !text(editor).includes('Add text'));
    button(editor, 'Add chart').click();
    const explore = () => editor.renderRoot.querySelector('pa-explore')?.shadowRoot;
    const members = () => [
      ...(explore()?.querySelector('pa-member-picker')?.shadowRoot?.querySelectorAll<HTMLElement>('[data-member]') ??
        []),
    ];
    await eventually(() => members().length > 0);
    expect(explore()?.activeElement?.getAttribute('aria-label')).to.equal('New chart');
    expect(members().map(({ dataset }) => dataset.member)).to.deep.equal(['flights.count']);
    members()[0]?.click();
    const offered = () => [...(explore()?.querySelectorAll<HTMLElement>('[data-look]') ?? [])];
    await eventually(() => offered().length > 0);
    expect(offered().map(({ dataset }) => dataset.look)).to.deep.equal(['table']);
    await eventually(() => explore()?.querySelector('pa-tile')?.shadowRoot?.querySelector('pa-tile-table'));
  });

  it('restores a version as the draft, with reports that were deleted since, and undoes that', async () => {
    const { element, editor, session } = await show(each => {
      const version = (versionNumber: number, reports: number[]) => ({
        versionNumber,
        config: { widgets: reports.map(id => tile(`v${id}`, id, 0)) },
        reportSnapshots: reports.map(frozen),
      });
      each.versions = [version(2, [1]), version(1, [1, 7])];
    });
    button(editor, 'Versions').click();
    const dialog = () => dialogs(editor)?.querySelector('pa-versions')?.shadowRoot;
    const preview = () => dialog()?.querySelector('pa-edit-grid')?.shadowRoot;
    await eventually(() => preview()?.querySelectorAll('pa-tile').length === 2);
    expect(dialog()?.querySelector('[aria-current]')?.textContent).to.contain('Version 1');
    expect(preview()?.querySelector('button')).to.equal(null);
    await expect(element).to.be.accessible();
    dialog()?.querySelector<HTMLButtonElement>('.primary')?.click();
    await eventually(() => ids(editor).join() === 'v1,v7');
    await eventually(() => text(editor).includes('Version 1 is now the draft.'));
    expect(session.created).to.have.lengthOf(1);
    await eventually(() => session.stored.length === 1);
    expect(session.draft).to.deep.equal({ widgets: [tile('v1', 1, 0), tile('v7', 9, 0)] });
    await eventually(() => editor.shadowRoot?.activeElement?.getAttribute('aria-label') === 'Versions');
    button(editor, 'Undo').click();
    await eventually(() => ids(editor).join() === 'a,b');
  });

  for (const [settings, isShared, shares] of [
    [{}, false, 'read'],
    [{ showWorkbookShare: false }, false, 'none'],
    [{ showWorkbookShare: false }, true, 'read'],
  ] as const) {
    it(`publishes with ${JSON.stringify(settings)}, shared before: ${isShared}`, async () => {
      const { element, editor, session } = await show(each => {
        each.settings = settings;
        const tenants = isShared ? [{ embedTenantName: 'acme', groupId: 1, action: 'read' }] : [];
        each.access = { ...access, tenants };
      });
      const events: unknown[] = [];
      element.addEventListener('pa-publish', ({ detail }) => events.push(detail));
      button(editor, 'Publish').click();
      await eventually(() => dialogs(editor)?.querySelector('dialog[open]'));
      dialogs(editor)?.querySelector<HTMLFormElement>('dialog form')?.requestSubmit();
      await eventually(() => events.length === 1);
      expect(session.shares).to.deep.equal([shares]);
      expect(events).to.deep.equal([{ workbookId: 1, publicId: 'Dashboard001', versionNumber: 1 }]);
    });
  }
});
