import { describe, expect, it } from 'vitest';
import type { Mark } from '../../../src/report/marks/mark.js';
import { markLinks } from '../../../src/report/marks/mark-links.js';
import fc from '../../property.js';

const mark: Mark = { values: { 'flights.carrier': 'A&A/..', 'flights.year': '2001' }, measure: 'flights.count' };
const rowsWith = (annotation: Record<string, unknown>) => ({
  columns: [
    {
      member: 'flights.carrier',
      kind: 'dimension' as const,
      annotation: { title: 'Flights Carrier', shortTitle: 'Carrier', type: 'string', ...annotation },
    },
  ],
  rows: [],
  truncated: false,
  lastRefreshTime: null,
});
const linksOf = (links: unknown, of: Mark = mark) => markLinks(of, rowsWith({ meta: { links } }));

describe('links of dimensions', () => {
  it('URL-encode values', () => {
    expect(linksOf([{ label: 'Look', url: 'https://a.example/{value}?y={flights.year}' }])).toEqual([
      { type: 'url', label: 'Look', href: 'https://a.example/A%26A%2F..?y=2001' },
    ]);
  });

  it('are read from `links` and `meta.links`, with the column title as default label', () => {
    expect(markLinks(mark, rowsWith({ links: [{ dashboard: 'carriers' }] }))).toEqual([
      { type: 'dashboard', label: 'Carrier', slug: 'carriers' },
    ]);
  });

  it('can consist of a value if it is a safe URL', () => {
    const of = (value: string): Mark => ({ values: { 'flights.carrier': value }, measure: null });
    expect(linksOf([{ url: '{value}' }], of('https://a.example/'))).toHaveLength(1);
    expect(linksOf([{ url: '{value}' }], of('javascript:alert(1)'))).toEqual([]);
    expect(linksOf([{ url: '{ flights.carrier }' }], of('//evil.example'))).toEqual([]);
  });

  it('do not replace names without a value in the mark', () => {
    expect(linksOf([{ label: 'x', url: 'https://a.example/{constructor}/{flights.nothing}' }])).toEqual([
      { type: 'url', label: 'x', href: 'https://a.example/{constructor}/{flights.nothing}' },
    ]);
  });

  it('exist only for dimensions of the mark', () => {
    expect(linksOf([{ url: 'https://a.example/' }], { values: {}, measure: null })).toEqual([]);
    expect(linksOf([{ url: 'https://a.example/' }], { values: { 'flights.carrier': null }, measure: null })).toEqual(
      [],
    );
  });

  it('never lead to a script for any template and value', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('javascript:', '{value}', ' ', '\u0000', 'data:text/html,', '//'),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.string(), (parts, value) => {
        const links = linksOf([{ url: parts.join('') }, parts, null], {
          values: { 'flights.carrier': value },
          measure: null,
        });
        for (const link of links) {
          const target = new URL(link.type === 'url' ? link.href : '', 'https://page.example/');
          expect(['http:', 'https:', 'mailto:']).toContain(target.protocol);
        }
      }),
    );
  });
});
