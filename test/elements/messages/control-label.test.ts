import { expect } from '@open-wc/testing';
import { filterLabel, markFilterLabels, valueText, withNames } from '../../../src/elements/messages/control-label.js';
import { pageMessages as outer } from '../../../src/elements/messages/page-messages.js';
import { controlsMessages as words } from '../../../src/elements/parts/controls/controls-messages.js';

const speech = { locale: 'en', words, outer, model: null };
const between = (...value: string[]) =>
  filterLabel('Date', { operator: 'between', value }, 'time', speech).replace(/[\u2009\u202f]/g, ' ');

describe('label of weekdays and months', () => {
  const facts = { type: 'number', title: 'Day', counts: false, meta: { sunday: 7 } } as const;
  const condition = { operator: 'equals', value: ['1', '7'] };

  it('names the numbers if the model or the mark states which is which', () => {
    const named = withNames({ ...speech, model: new Map([['flights.day', facts]]) }, 'flights.day');
    expect(filterLabel('Day', condition, 'number', named)).to.equal('Day is Monday, Sunday');
    expect(filterLabel('Day', condition, 'number', withNames(speech, 'flights.day'))).to.equal('Day is 1, 7');
    const choice = { kind: 'filter', title: 'Day', member: 'flights.day', type: 'number', condition } as const;
    const marked = { ...choice, control: null, from: 'tile', meta: { sunday: 7 } };
    expect(markFilterLabels([marked], { ...speech, locale: 'de' })[0]?.sentence).to.include('Montag, Sonntag');
  });
});

describe('time range label', () => {
  it('shows days if both ends are day boundaries', () => {
    const months = between('2001-01-01T00:00:00.000', '2001-02-28T23:59:59.999');
    expect(months).to.equal('Date: Jan 1 – Feb 28, 2001');
    expect(between('2001-01-01', '2001-02-28')).to.equal(months);
  });

  it('uses the Gregorian calendar and shows a shared year once', () => {
    expect(between('2001-02-01', '2001-02-28')).to.equal('Date: Feb 1 – 28, 2001');
    expect(between('2001-02-01', '2001-02-01')).to.equal('Date: Feb 1, 2001');
    const saudi = { ...speech, locale: 'ar-SA' };
    expect(valueText('2001-02-01', 'time', saudi)).to.match(/2001|٢٠٠١/);
  });

  it('shows minutes if an end is within a day', () => {
    expect(between('2001-01-01T00:00:00.000', '2001-01-01T00:59:59.999')).to.equal(
      'Date is between Jan 1, 2001, 12:00 AM and Jan 1, 2001, 12:59 AM',
    );
    expect(between('2001-01-01T23:00:00.000', '2001-01-01T23:59:59.999')).to.equal(
      'Date is between Jan 1, 2001, 11:00 PM and Jan 1, 2001, 11:59 PM',
    );
  });

  it('shows seconds if minutes do not distinguish the ends', () => {
    const text = (value: string) => valueText(value, 'time', speech).replaceAll('\u202f', ' ');
    expect(text('2001-01-01T05:00:10.000')).to.equal('Jan 1, 2001, 5:00:10 AM');
    expect(text('2001-01-01T05:00:00.000')).to.equal('Jan 1, 2001, 5:00 AM');
    expect(text('yesterday')).to.equal('yesterday');
    expect(text('2001-02-30')).to.equal('2001-02-30');
  });
});
