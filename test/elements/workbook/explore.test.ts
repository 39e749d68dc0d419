import { expect } from '@open-wc/testing';
import type { ReportSnapshot } from '../../../src/contract/dashboards.js';
import type { MetaResponse } from '../../../src/contract/meta.js';
import type { Column } from '../../../src/contract/row-set.js';
import type { NewReport } from '../../../src/controllers/creator/workbook-service.js';
import '../../../src/elements/workbook/explore/explore-element.js';
import { CreatorSession } from '../creator/fake-platform.js';
import { eventually } from '../eventually.js';
import { count, rowSet } from '../fake-session.js';

const dimension = (name: string, title: string, type = 'string') => ({
  name: `flights.${name}`,
  title: `Flights ${title}`,
  shortTitle: title,
  type,
});
const model: MetaResponse = {
  cubes: [
    {
      name: 'flights',
      title: 'Flights',
      type: 'view',
      measures: [{ ...dimension('count', 'Count', 'number'), aggType: 'count' }],
      dimensions: [dimension('city', 'City'), dimension('state', 'State'), dimension('carrier', 'Carrier')],
      segments: [],
      hierarchies: [{ name: 'flights.places', title: 'Places', levels: ['flights.state', 'flights.city'] }],
    },
  ],
};
const columnOf = (name: string, title: string): Column => ({
  member: `flights.${name}`,
  kind: 'dimension',
  annotation: { title, shortTitle: title, type: 'string' },
});
const rows = [
  { 'flights.count': '7', 'flights.state': 'TX', 'flights.carrier': 'AA' },
  { 'flights.count': '3', 'flights.state': 'CA', 'flights.carrier': 'UA' },
];

async function show(report: ReportSnapshot | null = null, prepare: (session: CreatorSession) => void = () => {}) {
  const session = new CreatorSession();
  session.model = model;
  prepare(session);
  const dimensions = [columnOf('state', 'State'), columnOf('carrier', 'Carrier')];
  session.answers = ({ dimensions: queried = [] }) =>
    rowSet([...dimensions.filter(({ member }) => queried.includes(member)), count], rows);
  const saved: NewReport[] = [];
  const element = Object.assign(document.createElement('pa-explore'), {
    source: session,
    report,
    onSave: async (created: NewReport) => void saved.push(created),
  });
  document.body.append(element);
  const find = <T extends HTMLElement>(selector: string): T => {
    const found = element.renderRoot.querySelector<T>(selector);
    if (!found) throw new Error(`There is no ${selector}.`);
    return found;
  };
  await eventually(() => element.renderRoot.querySelector('pa-member-picker'));
  const save = async (): Promise<NewReport | undefined> => {
    await eventually(() => !find<HTMLButtonElement>('.bar .primary').disabled);
    find('.bar .primary').click();
    await eventually(() => saved.length > 0);
    return saved.at(-1);
  };
  const choose = (option: string, value: string): void => {
    const select = find<HTMLSelectElement>(`[data-option="${option}"] select`);
    select.value = value;
    select.dispatchEvent(new Event('change'));
  };
  return { element, find, save, choose };
}

const pivot: ReportSnapshot = {
  id: 1,
  reportId: 1,
  versionNumber: 1,
  kind: 'table',
  name: 'Carriers by state',
  meta: {
    jsonQuery: { measures: ['flights.count'], dimensions: ['flights.state', 'flights.carrier'] },
    pivotItems: { rows: ['flights.state'], columns: ['flights.carrier'], measures: ['flights.count'], filters: [] },
  },
};

afterEach(() => document.body.replaceChildren());

describe('explore', () => {
  for (const [settings, switches] of [
    [{}, ['names', 'grouping']],
    [{ showMemberNames: false }, ['grouping']],
    [{ showGroupByPlatform: false }, ['names']],
  ] as const) {
    it(`offers names of the model and a list without views with ${JSON.stringify(settings)}`, async () => {
      const { element, find } = await show(null, session => {
        session.settings = settings;
        session.model = {
          cubes: [...model.cubes, { ...model.cubes[0], name: 'trips', title: 'Trips' }],
        } as MetaResponse;
      });
      const picker = find('pa-member-picker').shadowRoot;
      const found = [...(picker?.querySelectorAll<HTMLInputElement>('[data-switch]') ?? [])];
      expect(found.map(({ dataset }) => dataset.switch)).to.deep.equal(switches);
      expect(picker?.querySelectorAll('details').length).to.equal(2);
      expect(picker?.querySelector('.member code')).to.equal(null);
      for (const each of found) each.click();
      const isUngrouped = found.some(({ dataset }) => dataset.switch === 'grouping');
      await eventually(() => picker?.querySelectorAll('details').length === (isUngrouped ? 0 : 2));
      const name = picker?.querySelector('.member code')?.textContent ?? null;
      expect(name).to.equal(found.some(({ dataset }) => dataset.switch === 'names') ? 'flights.count' : null);
      await expect(element).to.be.accessible();
    });
  }

  it('lists the levels of a hierarchy in their order, and each field once', async () => {
    const { find } = await show();
    const groups = [...(find('pa-member-picker').shadowRoot?.querySelectorAll('fieldset') ?? [])];
    const texts = groups.map(group => [
      group.querySelector('legend')?.textContent,
      ...[...group.querySelectorAll('.title')].map(title => title.textContent),
    ]);
    expect(texts).to.deep.equal([
      ['Measures', 'Count'],
      ['Places, from coarse to fine', 'State', 'City'],
      ['Dimensions', 'Carrier'],
    ]);
  });

  it('changes the layout of a pivot table in a form, and has no axe violations', async () => {
    const { element, find, choose, save } = await show(pivot);
    await eventually(() => element.renderRoot.querySelector('[data-tool="options"]'));
    find('[data-tool="options"]').click();
    await eventually(() => element.renderRoot.querySelector('.options'));
    await expect(element).to.be.accessible();
    choose('side flights.carrier', 'rows');
    choose('side flights.state', 'columns');
    await element.updateComplete;
    find('[data-option="rowTotals"] input').click();
    const report = await save();
    expect(report?.meta.spec).to.deep.include({
      pivotItems: {
        rows: ['flights.carrier'],
        columns: ['flights.state'],
        measures: ['flights.count'],
        filters: [],
        showRowTotals: true,
        showColumnTotals: false,
      },
    });
  });

  it('writes nothing without a change, and keeps the query as its author wrote it', async () => {
    const jsonQuery = {
      measures: ['flights.count'],
      dimensions: ['flights.state'],
      order: { 'flights.count': 'desc' },
    };
    const { element, find, save } = await show({ ...pivot, meta: { jsonQuery } } as ReportSnapshot);
    let canceled = 0;
    let written = 0;
    const store = element.onSave;
    element.onCancel = () => {
      canceled += 1;
    };
    element.onSave = async created => {
      written += 1;
      await store(created);
    };
    await eventually(() => !find<HTMLButtonElement>('.bar .primary').disabled);
    find('.bar .primary').click();
    await eventually(() => canceled === 1);
    expect(written).to.equal(0);
    const title = find<HTMLInputElement>('.bar input');
    title.focus();
    title.value = 'By state';
    title.dispatchEvent(new InputEvent('input'));
    title.blur();
    expect(await save()).to.deep.include({ title: 'By state', query: jsonQuery });
  });

  it('names the fields that the model no longer has, and removes them', async () => {
    const gone = { measures: ['flights.count'], dimensions: ['flights.gone'] };
    const { element, save } = await show({ ...pivot, kind: 'table', meta: { jsonQuery: gone } });
    const text = () => element.renderRoot.textContent?.replace(/\s+/g, ' ') ?? '';
    await eventually(() => text().includes('These fields are not available: flights.gone.'));
    await expect(element).to.be.accessible();
    [...element.renderRoot.querySelectorAll('button')].find(each => each.textContent?.includes('Remove them'))?.click();
    await eventually(() => !text().includes('flights.gone'));
    expect((await save())?.query).to.deep.equal({ measures: ['flights.count'] });
  });

  it('keeps the text of the title field while it has the focus, and derives it again when it is left empty', async () => {
    const { element, find } = await show(null);
    const title = () => find<HTMLInputElement>('.title input');
    const check = (field: string): void => {
      const labels = [...(find('pa-member-picker').shadowRoot?.querySelectorAll('label') ?? [])];
      labels.find(label => label.textContent?.includes(field))?.click();
    };
    check('Count');
    await eventually(() => title().value !== '');
    const first = title().value;
    check('State');
    title().focus();
    await element.updateComplete;
    await eventually(() => !find<HTMLButtonElement>('.bar .primary').disabled);
    expect(title().value).to.equal(first);
    title().blur();
    await element.updateComplete;
    expect(title().value).not.to.equal(first);
    title().focus();
    title().value = '';
    title().dispatchEvent(new Event('input'));
    await element.updateComplete;
    expect(title().value).to.equal('');
    title().blur();
    await element.updateComplete;
    expect(title().value).not.to.be.oneOf(['', first]);
  });

  it('uses a written specification only if it is valid, and shows errors in place', async () => {
    const { element, find, save } = await show(pivot);
    await eventually(() => element.renderRoot.querySelector('[data-tool="text"]'));
    find('[data-tool="text"]').click();
    await eventually(() => element.renderRoot.querySelector('pa-spec-dialog'));
    const dialog = find('pa-spec-dialog');
    const within = () => dialog.shadowRoot;
    await eventually(() => within()?.querySelector('dialog[open]'));
    const write = (text: string): void => {
      const field = within()?.querySelector('textarea');
      if (!field) throw new Error('There is no text.');
      field.value = text;
      field.dispatchEvent(new Event('input'));
      within()?.querySelector('form')?.requestSubmit();
    };
    const problem = () => within()?.querySelector('.problem')?.textContent ?? '';
    write('{"mark":');
    await eventually(() => problem().includes('line 1, column 9'));
    expect(within()?.activeElement?.localName).to.equal('textarea');
    await expect(dialog).to.be.accessible();
    const encoding = { x: { field: 'flights\\.secret', type: 'quantitative' } };
    write(JSON.stringify({ mark: 'bar', encoding }));
    await eventually(() => problem().includes('flights.secret'));
    const spec = { mark: 'point', encoding: { x: { field: 'flights\\.count', type: 'quantitative' } } };
    write(JSON.stringify(spec));
    await eventually(() => !element.renderRoot.querySelector('pa-spec-dialog'));
    expect(find('[aria-pressed="true"]').textContent?.trim()).to.equal('Custom');
    const report = await save();
    expect(report?.meta).to.deep.equal({ kind: 'vega', spec });
  });
});
