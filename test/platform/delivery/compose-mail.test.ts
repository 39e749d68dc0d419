import { describe, expect, it } from 'vitest';
import type { RowSet } from '../../../src/contract/row-set.js';
import { composeMail } from '../../../src/platform/delivery/mail/compose-mail.js';

function rowsOf(columnCount: number, rowCount: number): RowSet {
  const members = Array.from({ length: columnCount }, (_, index) => `orders.c${index}`);
  return {
    columns: members.map(member => ({
      member,
      kind: 'dimension',
      annotation: { title: member, shortTitle: member, type: 'string' },
    })),
    rows: Array.from({ length: rowCount }, () => Object.fromEntries(members.map(member => [member, 'a value']))),
    truncated: false,
    lastRefreshTime: null,
  };
}

function compose(tileCount: number, rowSet: RowSet, locale = 'en') {
  return composeMail({
    title: 'Shop',
    tiles: Array.from({ length: tileCount }, (_, index) => ({ title: `Report ${index + 1}`, rowSet })),
    file: null,
    schedule: 'daily',
    scheduledAt: new Date(0),
    timeZone: 'UTC',
    locale,
    summary: null,
  })(null);
}

describe('the body of a message', () => {
  it('has the first 50 of 300 reports, and says how many are missing', () => {
    const { html, text } = compose(300, rowsOf(2, 3));
    for (const part of [html, text]) {
      expect(part).toContain('Report 50');
      expect(part).not.toContain('Report 51');
      expect(part).toContain('250 more reports of the dashboard are not listed here.');
    }
  });

  it('has fewer reports if their tables are large', () => {
    const { html, text } = compose(300, rowsOf(40, 100));
    expect(html).toContain('50 more rows');
    expect(html).toContain('297 more reports');
    expect(html.length).toBeLessThan(1_500_000);
    expect(text.length).toBeLessThan(300_000);
  });

  it('has a large report if it is the only one', () => {
    const { html } = compose(1, rowsOf(200, 100));
    expect(html).toContain('50 more rows');
    expect(html).not.toContain('more reports');
  });

  it.each(['de', 'es', 'fr', 'ja', 'ar'])('says what is missing in %s', locale => {
    const { text } = compose(60, rowsOf(1, 1), locale);
    expect(text).toContain('10');
    expect(text).not.toContain('more reports');
  });
});
