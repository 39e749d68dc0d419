import { describe, expect, it } from 'vitest';
import { fileName } from '../../src/report/file-name.js';
import { toSnapshot } from '../../src/report/plain-snapshot.js';

describe('what a host gives as a report', () => {
  it('is a snapshot, whole or in part', () => {
    expect(toSnapshot({ kind: 'kpi', reportId: 4 })).toMatchObject({ kind: 'kpi', reportId: 4, id: 0 });
    expect(toSnapshot({ spec: { mark: 'bar' } })).toMatchObject({ kind: null, spec: { mark: 'bar' } });
  });

  it('is a specification alone, by its title where it has one', () => {
    expect(toSnapshot({ mark: 'bar', title: 'Bars' })).toMatchObject({
      kind: 'vega',
      title: 'Bars',
      spec: { mark: 'bar' },
    });
    expect(toSnapshot({ columns: {}, title: { text: 'no text' } })).toMatchObject({
      kind: 'table',
      spec: { columns: {} },
    });
  });

  it('is nothing else', () => {
    for (const given of [null, undefined, 4, 'vega', [], {}, { constructor: 1 }]) expect(toSnapshot(given)).toBeNull();
  });
});

describe('a title as a file name', () => {
  it('holds nothing that a system refuses or that hides its ending', () => {
    expect(fileName('Flights: 50/50 "late"?', 'report')).toBe('Flights 50 50 late');
    expect(fileName('..\\..\\etc/passwd', 'report')).toBe('etc passwd');
    expect(fileName('bill\u202Efdp.exe', 'report')).toBe('bill fdp.exe');
    expect(fileName('  Über 9 000 Flüge.  ', 'report')).toBe('Über 9 000 Flüge');
    expect([...fileName('x'.repeat(500), 'report')]).toHaveLength(80);
  });

  it('is another where nothing is left', () => {
    for (const title of ['', '...', '///', 'CON', 'nul.txt']) expect(fileName(title, 'report')).toBe('report');
  });
});
