import { expect, fixture } from '@open-wc/testing';
import { html } from 'lit';
import type { PaCalendar } from '../../../../../src/elements/parts/controls/dates/calendar-element.js';
import type { PaDateEditor } from '../../../../../src/elements/parts/controls/dates/date-editor-element.js';
import type { DateBounds } from '../../../../../src/report/controls/filter-editor.js';
import '../../../../../src/elements/parts/controls/dates/date-editor-element.js';
import { pageMessages as outer } from '../../../../../src/elements/messages/page-messages.js';
import { controlsMessages as words } from '../../../../../src/elements/parts/controls/controls-messages.js';
import { withMedia } from '../../../media.js';

const noBounds: DateBounds = { min: null, max: null };

interface Given {
  readonly locale?: string;
  readonly range?: readonly [string | null, string | null];
  readonly bounds?: DateBounds;
  readonly single?: boolean;
  readonly dir?: string;
}

async function calendar({
  locale = 'en',
  range = [null, null],
  bounds = noBounds,
  single = false,
  dir = 'ltr',
}: Given) {
  const chosen: string[][] = [];
  const element = await fixture<PaCalendar>(html`<pa-calendar
    dir=${dir}
    .setting=${{ locale, words, today: '2024-02-15', bounds }}
    .range=${range}
    .single=${single}
    .onDays=${(start: string, end: string) => chosen.push([start, end])}
  ></pa-calendar>`);
  return { element, chosen };
}

const active = (element: PaCalendar): string =>
  element.shadowRoot?.activeElement?.getAttribute('data-day') ?? 'nothing';
const day = (element: PaCalendar, name: string): HTMLElement => {
  const found = element.shadowRoot?.querySelector<HTMLElement>(`[data-day="${name}"]`);
  if (!found) throw new Error(`${name} is not shown`);
  return found;
};
const texts = (element: PaCalendar, selector: string): string[] =>
  [...(element.shadowRoot?.querySelectorAll(selector) ?? [])].map(each => each.textContent?.trim() ?? '');

async function press(element: PaCalendar, key: string, shiftKey = false): Promise<string> {
  const event = new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, composed: true, cancelable: true });
  element.shadowRoot?.activeElement?.dispatchEvent(event);
  await element.updateComplete;
  return active(element);
}

describe('calendar', () => {
  it('supports arrows, Home, End, Page Up and Page Down, across months', async () => {
    const { element } = await calendar({});
    element.focus();
    expect(active(element)).to.equal('2024-02-15');
    const walk: string[] = [];
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'Home', 'End', 'PageUp', 'PageDown']) {
      walk.push(`${key} ${await press(element, key)}`);
    }
    expect(walk).to.deep.equal([
      'ArrowRight 2024-02-16',
      'ArrowDown 2024-02-23',
      'ArrowLeft 2024-02-22',
      'ArrowUp 2024-02-15',
      'Home 2024-02-11',
      'End 2024-02-17',
      'PageUp 2024-01-17',
      'PageDown 2024-02-17',
    ]);
    expect(await press(element, 'PageDown', true)).to.equal('2025-02-17');
    expect(await press(element, 'PageUp', true)).to.equal('2024-02-17');
    expect(element.shadowRoot?.querySelectorAll('[tabindex="0"]').length).to.equal(1);
    await expect(element).to.be.accessible();
  });

  it('mirrors the arrow keys in rtl', async () => {
    const { element } = await calendar({ dir: 'rtl', locale: 'ar' });
    element.focus();
    expect(await press(element, 'ArrowLeft')).to.equal('2024-02-16');
    expect(await press(element, 'ArrowRight')).to.equal('2024-02-15');
    expect(await press(element, 'Home')).to.equal('2024-02-10');
    expect(texts(element, 'th')[0]?.length).to.be.at.most(4);
  });

  it('names months and weekdays in the viewer language and starts at its first day of the week', async () => {
    const { element } = await calendar({ locale: 'de', range: ['2024-02-01', '2024-02-03'] });
    expect(texts(element, 'th').slice(0, 2)).to.deep.equal(['Mo', 'Di']);
    expect(texts(element, '.title').at(-1)).to.equal('Februar 2024');
    expect(day(element, '2024-02-01').ariaLabel).to.equal('Donnerstag, 1. Februar 2024');
    const { element: english } = await calendar({});
    expect(texts(english, 'th')[0]).to.equal('Sun');
  });

  it('selects a range from its ends in any order, and a single day immediately', async () => {
    const { element, chosen } = await calendar({});
    element.focus();
    await press(element, 'Enter');
    expect(texts(element, '.note')).to.deep.equal(['Select the last day.']);
    expect(chosen).to.deep.equal([]);
    await press(element, 'ArrowUp');
    expect(element.shadowRoot?.querySelectorAll('.inside').length).to.equal(8);
    await press(element, ' ');
    expect(chosen).to.deep.equal([['2024-02-08', '2024-02-15']]);
    const one = await calendar({ single: true });
    day(one.element, '2024-02-29').click();
    expect(one.chosen).to.deep.equal([['2024-02-29', '2024-02-29']]);
  });

  it('starts at the data range and names days without rows', async () => {
    const { element } = await calendar({ bounds: { min: '2001-01-01', max: '2001-06-15' } });
    element.focus();
    expect(active(element)).to.equal('2001-06-15');
    expect(day(element, '2001-06-15').ariaLabel).to.equal('Friday, June 15, 2001');
    expect(day(element, '2001-06-16').ariaLabel).to.equal('Saturday, June 16, 2001, no data');
  });

  it('has 44 px days for touch', async () => {
    const { element } = await calendar({});
    await withMedia(element, '(pointer: coarse)', () => {
      const { width, height } = day(element, '2024-02-15').getBoundingClientRect();
      expect([width, height].every(size => size >= 44)).to.equal(true);
    });
  });
});

describe('date input', () => {
  async function editor(values: readonly string[], locale = 'de') {
    const chosen: unknown[] = [];
    const element = await fixture<PaDateEditor>(html`<pa-date-editor
      .speech=${{ locale, words, outer, model: null }}
      .values=${values}
      .onDays=${(days: unknown) => chosen.push(days)}
    ></pa-date-editor>`);
    const fields = [...(element.shadowRoot?.querySelectorAll<HTMLInputElement>('.field') ?? [])];
    const type = async (at: number, text: string): Promise<string> => {
      const field = fields[at];
      if (!field) throw new Error(`no field ${at}`);
      field.value = text;
      field.dispatchEvent(new Event('change'));
      await element.updateComplete;
      return element.shadowRoot?.querySelector('.problem')?.textContent ?? '';
    };
    return { element, chosen, fields, type };
  }

  it('parses the viewer’s date format', async () => {
    const { chosen, fields, type } = await editor(['2024-02-01', '2024-02-29']);
    expect(fields.map(({ value }) => value)).to.deep.equal(['1.2.2024', '29.2.2024']);
    expect(await type(0, '31.01.2024')).to.equal('');
    expect(await type(1, '')).to.equal('');
    expect(chosen).to.deep.equal([
      ['2024-01-31', '2024-02-29'],
      ['2024-02-01', null],
    ]);
  });

  it('shows an example for an invalid date, and rejects an end before its start', async () => {
    const { element, chosen, fields, type } = await editor(['2024-02-01', '2024-02-29']);
    expect(await type(0, 'soon')).to.match(/^Enter a date like \d+\.\d+\.\d{4}\.$/);
    expect([fields[0]?.value, fields[0]?.ariaInvalid]).to.deep.equal(['soon', 'true']);
    expect(await type(1, '1.1.2024')).to.equal('The end is before the start.');
    expect(chosen).to.deep.equal([]);
    await expect(element).to.be.accessible();
    expect(await type(0, '1.1.2024')).to.equal('');
  });
});
