import { expect, nextFrame } from '@open-wc/testing';
import type { DashboardConfig } from '../../../src/contract/dashboards.js';
import { eventually } from '../eventually.js';
import { button, dialogs, grid, ids, show, text, tile, withDestination } from './workbook-page.js';

afterEach(() => {
  document.documentElement.removeAttribute('dir');
  document.body.replaceChildren();
});

describe('controls and containers', () => {
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
    const { id } = (session.draft as DashboardConfig).widgets?.at(-1) ?? {};
    const control = { id, type: 'FILTER', position, config: { member: 'flights.carrier' } };
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

  it('titles a control by the model, also after its field changes, unless the user has set a title', async () => {
    const [cube] = withDestination.cubes;
    const { editor, session } = await show(each => {
      const retitled = cube?.dimensions.map(field => ({ ...field, shortTitle: `The ${field.shortTitle}` })) ?? [];
      each.model = { cubes: cube ? [{ ...cube, dimensions: retitled }] : [] };
    });
    const dialog = () => dialogs(editor)?.querySelector('pa-control-dialog')?.shadowRoot;
    const submit = async (member: string, title?: string) => {
      await eventually(() => dialog()?.querySelector(`option[value="${member}"]`));
      const select = dialog()?.querySelector<HTMLSelectElement>('[name=member]');
      if (select) select.value = member;
      select?.dispatchEvent(new Event('change'));
      const field = dialog()?.querySelector<HTMLInputElement>('[name=title]');
      if (field && title !== undefined) field.value = title;
      const count = session.stored.length;
      dialog()?.querySelector('form')?.requestSubmit();
      await eventually(() => session.stored.length > count && !dialog());
      const widgets = Array.isArray(session.draft.widgets) ? session.draft.widgets : [];
      return widgets.at(-1)?.config;
    };
    button(editor, 'Add control').click();
    const carrierField = { member: 'flights.carrier', title: 'The Carrier' };
    expect(await submit('flights.carrier')).to.deep.equal(carrierField);
    button(editor, 'Change The Carrier').click();
    const destination = { member: 'flights.destination', title: 'The Destination' };
    expect(await submit('flights.destination')).to.deep.equal(destination);
    button(editor, 'Change The Destination').click();
    await submit('flights.destination', 'Where');
    button(editor, 'Change Where').click();
    expect(await submit('flights.carrier')).to.deep.equal({ member: 'flights.carrier', title: 'Where' });
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
    const [, box] = ids(editor);
    expect(ids(editor)).to.deep.equal(['a', box]);
    await eventually(() => !container());

    // By pointer: the first tile into the container, and the other one out of it.
    const at = (target: Element | null | undefined) => {
      const { left, top } = target?.getBoundingClientRect() ?? new DOMRect();
      return { clientX: left + 30, clientY: top + 12, pointerId: 1, bubbles: true };
    };
    const drag = (handle: HTMLElement | null, to: Element | null | undefined) => {
      if (!handle || !to) throw new Error('There is nothing to drag.');
      handle.setPointerCapture = () => {};
      handle.dispatchEvent(new PointerEvent('pointerdown', at(handle)));
      const end = at(to);
      handle.dispatchEvent(new PointerEvent('pointermove', end));
      handle.dispatchEvent(new PointerEvent('pointerup', end));
    };
    const inside = () =>
      [...grid(editor).querySelectorAll<HTMLElement>('[data-child]')].map(({ dataset }) => dataset.child);
    const status = () => grid(editor).querySelector('[role=status]')?.textContent;
    const innerHandle = (id: string) => grid(editor).querySelector<HTMLElement>(`[data-child=${id}] .inner-handle`);
    const frame = grid(editor).querySelector<HTMLElement>('.grid');
    frame?.style.setProperty('inline-size', '800px');
    drag(grid(editor).querySelector('[data-id=a] .handle'), grid(editor).querySelector(`[data-container=${box}]`));
    await eventually(() => inside().join() === 'a,b' && ids(editor).join() === box);
    expect(status()).to.match(/ is now in Container\.$/);
    await eventually(() => grid(editor).activeElement === innerHandle('a'));
    await expect(element).to.be.accessible();
    innerHandle('a')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    await eventually(() => inside().join() === 'b,a');
    expect(status()).to.match(/ is now number 2\.$/);
    drag(innerHandle('a'), innerHandle('b'));
    await eventually(() => inside().join() === 'a,b');
    expect(status()).to.match(/ is now number 1\.$/);
    expect(grid(editor).querySelector('.target, .insert-before, .insert-after')).to.equal(null);
    drag(innerHandle('b'), grid(editor).querySelector(`[data-id=${box}] header`));
    // It is at the pointer, and the container makes room.
    await eventually(() => inside().join() === 'a' && ids(editor).join() === `b,${box}`);
    const menu = grid(editor).querySelector('[data-id=b] pa-action-menu')?.shadowRoot;
    const items = [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    items.find(item => item.textContent?.includes('Move to Container'))?.click();
    await eventually(() => inside().join() === 'a,b');
    for (let steps = 0; steps < 5; steps += 1) button(editor, 'Undo').click();
    await eventually(() => inside().join() === 'b' && ids(editor).join() === `a,${box}`);
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

  it('does not scroll the page when tiles make room for a tile that is dragged out of the last container', async () => {
    const config = { layout: 'stack', children: [{ id: 'b' }] };
    const box = { id: 'box', type: 'CONTAINER', position: { x: 0, y: 6, w: 12, h: 10 }, config };
    const { element, editor } = await show(each => {
      each.draft = { widgets: [tile('a', 1, 0), tile('b', 2, 6), box] };
    });
    // The page below the editor, whose position the browser would retain.
    const below = document.createElement('footer');
    below.style.cssText = 'block-size: 2000px';
    below.append('Below');
    element.after(below);
    const handle = grid(editor).querySelector<HTMLElement>('[data-child=b] .inner-handle');
    if (!handle) throw new Error('The container has no tile.');
    const frame = grid(editor).querySelector<HTMLElement>('.grid');
    frame?.style.setProperty('inline-size', '800px');
    scrollTo(0, below.getBoundingClientRect().top - innerHeight + 40);
    await nextFrame();
    await nextFrame();
    const scrolls: number[] = [];
    const record = () => scrolls.push(scrollY);
    document.addEventListener('scroll', record);
    handle.setPointerCapture = () => {};
    const send = (type: string, clientX: number, clientY: number) =>
      handle.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerId: 1, bubbles: true }));
    const { left, top } = handle.getBoundingClientRect();
    send('pointerdown', left + 10, top + 10);
    const above = (grid(editor).querySelector('[data-id=box]')?.getBoundingClientRect().top ?? 0) + 4;
    send('pointermove', left + 10, above);
    for (let frames = 0; frames < 3; frames += 1) await nextFrame();
    document.removeEventListener('scroll', record);
    expect(scrolls).to.deep.equal([]);
    send('pointerup', left + 10, above);
    await eventually(() => ids(editor).includes('b'));
    expect(document.body.style.getPropertyValue('overflow-anchor')).to.equal('');
  });
});
