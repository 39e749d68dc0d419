import { expect } from '@open-wc/testing';
import type { AppConfig } from '../../../src/contract/app-config.js';
import type { PaOpenEvent } from '../../../src/elements/events.js';
import type { PaWorkspaceList } from '../../../src/elements/workspace/list/workspace-list-element.js';
import '../../../src/elements/workspace/pa-workspace.js';
import type { PaWorkspace } from '../../../src/elements/workspace/workspace-element.js';
import { CreatorSession } from '../creator/fake-platform.js';
import { eventually } from '../eventually.js';
import { dashboard, provide } from '../fake-session.js';

interface Shown {
  readonly element: PaWorkspace;
  readonly list: () => PaWorkspaceList;
  readonly session: CreatorSession;
}

async function show(prepare: (session: CreatorSession) => void = () => {}): Promise<Shown> {
  const session = new CreatorSession();
  prepare(session);
  const parent = provide(session);
  const element = document.createElement('pa-workspace');
  parent.append(element);
  document.body.append(parent);
  const find = () => element.renderRoot.querySelector('pa-workspace-list');
  await eventually(
    () => find()?.shadowRoot?.querySelector('ul, .panel:not(.loading)') ?? element.renderRoot.querySelector('.notice'),
  );
  const list = (): PaWorkspaceList => {
    const found = find();
    if (!found) throw new Error('The workspace shows no list.');
    return found;
  };
  return { element, list, session };
}

const names = ({ list }: Shown): (string | null)[] =>
  [...list().renderRoot.querySelectorAll('.name')].map(({ textContent }) => textContent);
const text = ({ list }: Shown): string => list().renderRoot.textContent?.replace(/\s+/g, ' ') ?? '';

function button(root: ParentNode, label: string): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find(
    each => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === label,
  );
  if (!found) throw new Error(`There is no button ${label}.`);
  return found;
}

/** Runs an action of the menu of an item. */
function act({ list }: Shown, name: string, action: string): void {
  const menus = [...list().renderRoot.querySelectorAll('pa-action-menu')];
  const menu = menus.find(({ label }) => label === `Actions for ${name}`);
  if (!menu?.shadowRoot) throw new Error(`There is no menu of ${name}.`);
  button(menu.shadowRoot, `Actions for ${name}`).click();
  button(menu.shadowRoot, action).click();
}

async function answerName({ list }: Shown, name: string): Promise<void> {
  const find = () => list().renderRoot.querySelector<HTMLInputElement>('dialog[open] input');
  await eventually(find);
  const field = find();
  if (!field) throw new Error('There is no field for a name.');
  field.value = name;
  field.form?.requestSubmit();
}

const workbook = (id: number, name: string, more = {}) =>
  ({ id, type: 'WORKBOOK', name, folderId: null, ...more }) as const;
const folder = (id: number, name: string) => ({ id, type: 'FOLDER', name, folderId: null }) as const;

afterEach(() => document.body.replaceChildren());

describe('workspace', () => {
  for (const scheme of ['light', 'dark']) {
    it(`has no axe violations, ${scheme}`, async () => {
      document.body.style.setProperty('color-scheme', scheme);
      document.body.style.setProperty('background', scheme === 'dark' ? '#0f1116' : '#f6f7f9');
      const shown = await show();
      await expect(shown.element).to.be.accessible();
      shown.session.items = [folder(1, 'Regional'), workbook(2, 'Weekly', { publicId: 'Dashboard001' })];
      button(shown.list().renderRoot, 'Shared with us').click();
      button(shown.list().renderRoot, 'My dashboards').click();
      await eventually(() => names(shown).length === 2);
      await expect(shown.element).to.be.accessible();
      act(shown, 'Weekly', 'Rename');
      await eventually(() => shown.list().renderRoot.querySelector('dialog[open]'));
      await expect(shown.element).to.be.accessible();
      await answerName(shown, 'Daily');
      await eventually(() => names(shown).includes('Daily'));
      act(shown, 'Daily', 'Delete');
      await eventually(() => text(shown).includes('“Daily” was deleted.'));
      await expect(shown.element).to.be.accessible();
    });
  }

  for (const [creatorMode, title] of [
    [{}, 'Workspace'],
    [{ workspaceTitle: 'Reports' }, 'Reports'],
    [{ workspaceTitle: 'Reports', localizedTitles: [{ locale: 'en', value: 'My reports' }] }, 'My reports'],
    [{ workspaceTitle: 'Reports', showWorkspaceTitle: false }, undefined],
  ] as const) {
    it(`has the title of the account: ${JSON.stringify(creatorMode)}`, async () => {
      const shown = await show(session => {
        session.config = { creatorMode } as unknown as AppConfig;
      });
      const heading = () => shown.list().renderRoot.querySelector('[part=heading]')?.textContent?.trim();
      await eventually(() => heading() === title);
    });
  }

  it('shows only a message and sends nothing in a session without creator mode', async () => {
    const { element, session } = await show(each => {
      each.identity = JSON.stringify({ creatorMode: false, deploymentId: 1, embedTenantName: 'acme' });
    });
    expect(element.renderRoot.textContent).to.contain('You can only view dashboards here');
    expect(element.renderRoot.querySelector('pa-workspace-list')).to.equal(null);
    expect(session.requests).to.equal(0);
  });

  it('creates a dashboard from the empty state and opens it', async () => {
    const shown = await show();
    const opened: PaOpenEvent[] = [];
    shown.element.addEventListener('pa-open', event => {
      event.preventDefault();
      opened.push(event);
    });
    expect(text(shown)).to.contain('No dashboards yet');
    const [, emptyState] = [...shown.list().renderRoot.querySelectorAll('button')].filter(
      ({ textContent }) => textContent?.trim() === 'New dashboard',
    );
    emptyState?.click();
    await answerName(shown, 'Weekly');
    await eventually(() => opened.length === 1);
    expect(opened[0]?.detail).to.deep.equal({ workbookId: 1, publicId: null, name: 'Weekly', mode: 'edit' });
    await eventually(() => names(shown).includes('Weekly'));
  });

  it('opens the dashboard of the comment in the URL of the page', async () => {
    const { search } = location;
    const url = new URL(location.href);
    url.searchParams.set('pa-comment', '3');
    url.searchParams.set('pa-dashboard', 'Dashboard001');
    history.replaceState(null, '', url);
    const session = new CreatorSession();
    session.dashboards = async () => ({ ...dashboard([], []), workbookId: 17, title: 'Weekly' });
    const opened: unknown[] = [];
    const listen = (event: Event) => {
      event.preventDefault();
      opened.push((event as PaOpenEvent).detail);
    };
    document.addEventListener('pa-open', listen, { once: true });
    const parent = provide(session);
    parent.append(document.createElement('pa-workspace'));
    document.body.append(parent);
    await eventually(() => opened.length > 0);
    history.replaceState(null, '', `${location.pathname}${search}`);
    expect(opened).to.deep.equal([{ workbookId: 17, publicId: 'Dashboard001', name: 'Weekly', mode: 'view' }]);
  });

  it('opens folders and returns by the path', async () => {
    const shown = await show(session => {
      session.items = [folder(1, 'Regional'), workbook(2, 'Inside', { folderId: 1 }), workbook(3, 'Outside')];
    });
    expect(names(shown)).to.deep.equal(['Regional', 'Outside']);
    shown.list().renderRoot.querySelector<HTMLElement>('.open')?.click();
    await eventually(() => names(shown).join() === 'Inside');
    button(shown.list().renderRoot, 'My dashboards').click();
    await eventually(() => names(shown).length === 2);
  });

  it('searches all folders', async () => {
    const shown = await show(session => {
      session.items = [folder(1, 'Regional'), workbook(2, 'Delays', { folderId: 1 }), workbook(3, 'Outside')];
    });
    const field = shown.list().renderRoot.querySelector<HTMLInputElement>('input[type=search]');
    if (!field) throw new Error('There is no search field.');
    field.value = 'dela';
    field.dispatchEvent(new InputEvent('input'));
    await eventually(() => names(shown).join() === 'Delays');
    field.value = 'nothing like it';
    field.dispatchEvent(new InputEvent('input'));
    await eventually(() => text(shown).includes('Nothing matches “nothing like it”'));
  });

  it('keeps a deleted dashboard if the deletion is undone, and deletes it otherwise', async () => {
    const shown = await show(session => {
      session.items = [workbook(1, 'First'), workbook(2, 'Second')];
    });
    act(shown, 'First', 'Delete');
    await eventually(() => names(shown).join() === 'Second');
    button(shown.list().renderRoot, 'Undo').click();
    await eventually(() => names(shown).join() === 'First,Second');
    expect(shown.session.log).to.deep.equal([]);
    act(shown, 'Second', 'Delete');
    shown.element.remove();
    await eventually(() => shown.session.log.length > 0);
    expect(shown.session.log).to.deep.equal(['DELETE /workbooks/2 {}']);
  });

  it('restores an item that could not be deleted, and says why', async () => {
    const shown = await show(session => {
      session.items = [workbook(1, 'First'), workbook(2, 'Second')];
      session.failsWith = 403;
    });
    const errors: string[] = [];
    shown.element.addEventListener('pa-error', event => errors.push(event.detail.code));
    act(shown, 'First', 'Delete');
    act(shown, 'Second', 'Delete');
    await eventually(() => text(shown).includes('You don’t have access to this.'));
    await eventually(() => names(shown).includes('First'));
    expect(errors).to.deep.equal(['not_allowed']);
  });

  it('moves a dashboard into a folder', async () => {
    const shown = await show(session => {
      session.items = [folder(1, 'Regional'), workbook(2, 'Weekly')];
    });
    act(shown, 'Weekly', 'Move to…');
    const find = <T extends HTMLElement>(selector: string): T | null | undefined =>
      shown.list().renderRoot.querySelector('pa-move-dialog')?.shadowRoot?.querySelector<T>(selector);
    await eventually(() => find('li button'));
    find('li button')?.click();
    await eventually(() => find<HTMLButtonElement>('.primary')?.disabled === false);
    find('.primary')?.click();
    await eventually(() => names(shown).join() === 'Regional');
    expect(shown.session.log).to.deep.equal(['POST /workspace/move {"type":"WORKBOOK","id":2,"folderId":1}']);
  });

  it('offers only to view and copy what others share', async () => {
    const shown = await show(session => {
      session.items = [workbook(1, 'Theirs', { isShared: true, publicId: 'Dashboard001' })];
    });
    button(shown.list().renderRoot, 'Shared with us').click();
    await eventually(() => names(shown).join() === 'Theirs');
    const menu = shown.list().renderRoot.querySelector('pa-action-menu');
    expect(menu?.actions.map(({ label }) => label)).to.deep.equal(['Open', 'Duplicate']);
    act(shown, 'Theirs', 'Duplicate');
    await eventually(() => names(shown).join() === 'Copy of Theirs');
    expect(shown.session.log).to.deep.equal(['POST /workbooks/1/duplicate {"shared":true}']);
  });

  it('lists favorites of all folders, and shows a favorite again if it could not be removed', async () => {
    const shown = await show(session => {
      session.items = [folder(1, 'Regional'), workbook(2, 'Delays', { folderId: 1 }), workbook(3, 'Outside')];
    });
    const { renderRoot } = shown.list();
    button(renderRoot, 'Favorites').click();
    await eventually(() => text(shown).includes('No favorites yet'));
    button(renderRoot, 'Favorites').click();
    await eventually(() => names(shown).join() === 'Regional,Outside');
    button(renderRoot, 'Add Outside to favorites').click();
    await eventually(() => text(shown).includes('Outside is a favorite'));
    expect(shown.session.log).to.deep.equal(['POST /workspace/favorite {"type":"WORKBOOK","id":3,"isFavorite":true}']);
    button(renderRoot, 'Favorites').click();
    await eventually(() => names(shown).join() === 'Outside');
    shown.session.failsWith = 500;
    button(renderRoot, 'Remove Outside from favorites').click();
    await eventually(() => renderRoot.querySelector('.problem strong'));
    await eventually(() => renderRoot.querySelector('.star')?.ariaLabel === 'Remove Outside from favorites');
  });

  it('loads further pages', async () => {
    const shown = await show(session => {
      session.pageSize = 2;
      session.items = [workbook(1, 'A'), workbook(2, 'B'), workbook(3, 'C')];
    });
    expect(names(shown)).to.deep.equal(['A', 'B']);
    button(shown.list().renderRoot, 'Show more').click();
    await eventually(() => names(shown).join() === 'A,B,C');
  });

  it('drops the items of another user', async () => {
    const shown = await show(session => {
      session.items = [workbook(1, 'Secret')];
    });
    shown.session.items = [workbook(2, 'Own')];
    const other = JSON.stringify({ creatorMode: true, deploymentId: 1, embedTenantName: 'globex' });
    shown.session.emit({ type: 'identity', identity: other });
    await eventually(() => names(shown).join() === 'Own');
  });
});
