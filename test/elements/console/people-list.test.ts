import { expect, fixture, html } from '@open-wc/testing';
import { PaPeopleList } from '../../../src/console/people/list-element.js';
import type { FormField, ListPage } from '../../../src/console/people/list-page.js';
import { eventually } from '../eventually.js';

if (!customElements.get('pa-people-list')) customElements.define('pa-people-list', PaPeopleList);

const pageWith = (id: string, fields: readonly FormField[]): ListPage => ({
  id,
  title: id,
  searchLabel: null,
  columns: [],
  create: { label: `New ${id}`, button: 'Create', fields, run: async () => null },
  load: async () => ({ items: [], pageInfo: null }),
});
const fieldOf = (list: PaPeopleList, name: string) =>
  list.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`);

describe('pa-people-list', () => {
  it('discards the text of a form when another page is shown', async () => {
    const fields = [{ name: 'name', label: 'Name' }];
    const list = await fixture<PaPeopleList>(html`<pa-people-list .page=${pageWith('keys', fields)}></pa-people-list>`);
    const field = fieldOf(list, 'name');
    if (field) field.value = 'a secret of the first page';
    list.page = pageWith('variables', fields);
    await list.updateComplete;
    expect(fieldOf(list, 'name')?.value).to.equal('');
  });

  it('fills each list of a form with the choices of its own field', async () => {
    const choices = (value: string) => async () => [{ value, label: value }];
    const fields = [
      { name: 'role', label: 'Role', options: choices('reader') },
      { name: 'tenant', label: 'Tenant', options: choices('acme') },
    ];
    const list = await fixture<PaPeopleList>(html`<pa-people-list .page=${pageWith('a', fields)}></pa-people-list>`);
    await eventually(() => fieldOf(list, 'role')?.value === 'reader' && fieldOf(list, 'tenant')?.value === 'acme');
  });
});
