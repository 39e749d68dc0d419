import { expect } from '@open-wc/testing';
import { PaErrorCode, PaRequestError } from '../../../src/client/errors.js';
import type { AppConfig } from '../../../src/contract/app-config.js';
import { SessionStatus } from '../../../src/controllers/session/session-context.js';
import type { PaWorkbookEditor } from '../../../src/elements/workbook/editor/workbook-editor-element.js';
import { eventually } from '../eventually.js';
import { count, rowSet } from '../fake-session.js';
import {
  access,
  button,
  column,
  dialogs,
  frozen,
  grid,
  handle,
  ids,
  press,
  show,
  text,
  tile,
  withDestination,
} from './workbook-page.js';

afterEach(() => {
  document.documentElement.removeAttribute('dir');
  document.body.replaceChildren();
});

const shadowRootsIn = (root: ShadowRoot | null): ShadowRoot[] =>
  [...(root?.querySelectorAll('*') ?? [])].flatMap(({ shadowRoot }) => shadowRoot ?? []);

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
      for (const name of ['Add control', 'Add container', 'Add text', 'Versions']) {
        await eventually(() => !dialogs(editor));
        button(editor, name).click();
        const roots = () => [dialogs(editor), ...shadowRootsIn(dialogs(editor))];
        await eventually(() => roots().some(root => root?.querySelector('dialog[open]')));
        await expect(element).to.be.accessible();
        for (const root of roots()) root?.querySelector('dialog')?.close();
      }
      await eventually(() => !dialogs(editor));
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
    await eventually(() => text(editor).includes('Saved as draft'));
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
    const rows = [...editor.renderRoot.querySelectorAll('.differences li:not(.heads)')].map(({ children }) =>
      [...children].map(part => [...part.querySelectorAll(':not(.label)')].map(each => each.textContent).join(', ')),
    );
    expect(rows).to.deep.equal([
      ['Report 1, Changed in both', 'Removed', 'Removed'],
      ['Report 1', 'Unchanged', 'Added'],
      ['Report 2', 'Unchanged', 'Removed'],
    ]);
    button(editor, 'Use the other version').click();
    await eventually(() => ids(editor).join() === 'c');
    button(editor, 'Undo').click();
    await eventually(() => ids(editor).join() === 'b');
    await eventually(() => session.stored.length === 1);
  });

  it('keeps a change that was not stored when the session ended, for the same user only', async () => {
    const { element, editor, session } = await show();
    const own = session.identity;
    press(handle(editor, 'a'), 'Delete');
    session.end();
    await eventually(() => !element.renderRoot.querySelector('pa-workbook-editor'));
    const shown = () => element.renderRoot.querySelector('pa-workbook-editor');
    const restart = async (identity: string | null) => {
      session.emit({ type: 'identity', identity });
      session.setStatus(SessionStatus.ready);
      await eventually(() => shown()?.renderRoot.querySelector('pa-edit-grid'));
    };
    await restart(JSON.stringify({ ...JSON.parse(own ?? ''), userId: 2 }));
    expect(shown() && ids(shown() as PaWorkbookEditor)).to.deep.equal(['a', 'b']);
    session.end();
    await eventually(() => !shown());
    await restart(own);
    await eventually(() => ids(shown() as PaWorkbookEditor).join() === 'b');
    await eventually(() => session.stored.length === 1);
    button(shown() as PaWorkbookEditor, 'Undo').click();
    await eventually(() => ids(shown() as PaWorkbookEditor).join() === 'a,b');
  });

  it('arranges 300 tiles, and loads only those near the viewport', async () => {
    const many = Array.from({ length: 300 }, (_, index) => {
      const position = { x: (index % 4) * 3, y: Math.floor(index / 4) * 4, w: 3, h: 4 };
      return { ...tile(`t${index}`, 1, 0), position };
    });
    const { editor, session } = await show(each => {
      each.draft = { widgets: many };
    });
    await eventually(() => session.calls.length > 0);
    expect(ids(editor)).to.have.length(300);
    expect(grid(editor).querySelectorAll('pa-tile')).to.have.length(300);
    expect(session.calls.length).to.be.lessThan(100);
    press(handle(editor, 't299'), 'Delete');
    await eventually(() => session.stored.length === 1);
    expect(ids(editor)).to.have.length(299);
  });

  it('shows hostile names as text', async () => {
    const hostile = '<img src=x onerror="window.hacked = true">\u202e{{alert(1)}}';
    const { editor } = await show(session => {
      session.name = hostile;
      const named = (id: string, type: string, config: object, x = 0) => ({ ...tile(id, 1, x), type, config });
      session.draft = {
        widgets: [
          named('a', 'CHART', { reportId: 1, title: hostile }),
          named('"]<b>', 'CONTAINER', { title: hostile, children: [] }, 6),
          named('c', 'FILTER', { member: 'flights.carrier', title: hostile }),
        ],
      };
    });
    await eventually(() => grid(editor).querySelector('pa-controls')?.controls.length === 1);
    expect(text(editor)).to.contain(hostile);
    expect(handle(editor, 'a').textContent).to.contain(hostile);
    press(handle(editor, '"]<b>'.replace('"', '\\"')), 'Delete');
    await eventually(() => ids(editor).join() === 'a');
    const roots = [editor.renderRoot, grid(editor)];
    expect(roots.flatMap(root => [...root.querySelectorAll('img')])).to.deep.equal([]);
    expect(Reflect.get(window, 'hacked')).to.equal(undefined);
  });

  it('states that the report of a tile was deleted, and retains the tile', async () => {
    const { editor } = await show(session => {
      session.draft = { widgets: [tile('a', 1, 0), tile('gone', 99, 6)] };
    });
    await eventually(() => grid(editor).textContent?.includes('The report of this tile was deleted.'));
    expect(ids(editor)).to.deep.equal(['a', 'gone']);
  });

  it('allows downloads only if neither the account nor the page restricts them', async () => {
    const { element, editor } = await show(each => {
      each.config = { restrictDataDownload: false } as AppConfig;
    });
    const isRestricted = () => editor.renderRoot.querySelector('pa-edit-grid')?.restricted;
    await eventually(() => isRestricted() === false);
    element.restrictDownload = true;
    await eventually(() => isRestricted() === true);
  });

  it('names the fields of a failed query that are not in the model to its author', async () => {
    const { editor } = await show(session => {
      session.model = { cubes: withDestination.cubes.map(cube => ({ ...cube, measures: [] })) };
      session.answers = () => {
        throw new PaRequestError(PaErrorCode.badRequest, 'Unknown member.');
      };
    });
    await eventually(() => grid(editor).textContent?.includes('These fields are not available: flights.count.'));
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
    expect(ids(editor)).to.have.length(1);
    button(editor, 'Undo').click();
    await eventually(() => editor.renderRoot.querySelector('.panel.empty'));
  });

  it('groups an overview only by dimensions that have several values', async () => {
    const { editor, session } = await show(each => {
      each.draft = { widgets: [] };
      each.model = withDestination;
      const values = (member: string) => (member === 'flights.carrier' ? ['AA'] : ['DFW', 'JFK']);
      each.answers = ({ dimensions: [member = ''] = [] }) =>
        rowSet(
          [count],
          values(member).map(value => ({ [member]: value })),
        );
    });
    const offered = () => editor.renderRoot.querySelector('pa-templates')?.shadowRoot?.querySelector('button');
    await eventually(offered);
    offered()?.click();
    await eventually(() => editor.renderRoot.querySelector('pa-edit-grid'));
    const created = JSON.stringify(session.created);
    expect(created).to.contain('flights.destination');
    expect(created).not.to.contain('flights.carrier');
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

  it('has a menu for most tools if it is narrow', async () => {
    const { element, editor } = await show();
    const shown = () => [...editor.renderRoot.querySelectorAll('.tools button')].filter(each => each.checkVisibility());
    const full = shown().length;
    element.style.inlineSize = '340px';
    await eventually(() => shown().length < full);
    const names = shown().map(each => each.getAttribute('aria-label') ?? each.textContent?.trim());
    expect(names).to.deep.equal(['Undo', 'Redo', 'Add chart', 'Publish']);
    await expect(element).to.be.accessible();
    const menu = editor.renderRoot.querySelector('.tools pa-action-menu');
    const items = [...(menu?.shadowRoot?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    expect(items.map(each => each.textContent?.trim())).to.deep.equal([
      'Add text',
      'Add container',
      'Add control',
      'Preview width: Tablet',
      'Preview width: Phone',
      'Versions',
      'Dashboard settings',
    ]);
    items.at(-1)?.click();
    await eventually(() => dialogs(editor)?.querySelector('form, dialog'));
    const dialog = [...(dialogs(editor)?.querySelectorAll('*') ?? [])].map(each => each.shadowRoot).find(Boolean);
    (dialog ?? dialogs(editor))?.querySelector('dialog')?.close();
    await eventually(() => editor.renderRoot instanceof ShadowRoot && editor.renderRoot.activeElement === menu);
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

  it('changes the settings of the dashboard, unless the session hides them', async () => {
    const { element, editor, session } = await show(each => {
      each.draft = { widgets: [tile('a', 1, 0)], settings: { crossFilter: true, ownKey: 1 } };
    });
    button(editor, 'Dashboard settings').click();
    const form = () => dialogs(editor)?.querySelector<HTMLFormElement>('dialog form');
    await eventually(() => form());
    await expect(element).to.be.accessible();
    const field = (name: string) => form()?.elements.namedItem(name);
    expect(field('crossFilter')).to.have.property('value', 'always');
    Object.assign(field('description') ?? {}, { value: ' Weekly figures ' });
    Object.assign(field('timezone') ?? {}, { value: 'Europe/Berlin' });
    Object.assign(field('crossFilter') ?? {}, { value: 'never' });
    form()?.requestSubmit();
    await eventually(() => session.stored.length === 1);
    const settings = { ownKey: 1, timezone: 'Europe/Berlin', crossFilter: false };
    expect(session.draft).to.deep.equal({ widgets: [tile('a', 1, 0)], description: 'Weekly figures', settings });
    await eventually(() => editor.shadowRoot?.activeElement?.getAttribute('aria-label') === 'Dashboard settings');
    const hiding = await show(each => {
      each.settings = { showDashboardSettings: false };
    });
    expect(hiding.editor.renderRoot.querySelector('[data-tool="sliders"]')).to.equal(null);
    expect(hiding.editor.renderRoot.querySelector('[data-tool="history"]')).to.not.equal(null);
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
