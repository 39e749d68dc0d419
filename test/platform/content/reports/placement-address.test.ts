import { describe, expect, test } from 'vitest';
import type { StoredPlacement } from '../../../../src/platform/content/reports/report-placement-store.js';
import { placementsAt, sheetCellOf } from '../../../../src/platform/content/reports/report-placements.js';

describe('sheet and cell of an address', () => {
  test.each([
    [{ resultLocation: 'Sheet1!A1' }, 'Sheet1', 'A1'],
    [{ resultLocation: "'My sheet'!$B$12:D40" }, 'My sheet', 'B12'],
    [{ resultLocation: "'It''s here'!c3" }, "It's here", 'C3'],
    [{ sheetName: 'S', anchorCell: '$A$1' }, 'S', 'A1'],
    [{ sheetName: 'S', resultLocation: 'Other!B2' }, 'S', 'B2'],
    [{ anchorCell: 'C3', resultLocation: 'Other!B2' }, 'Other', 'C3'],
  ])('%j contains both', (address, sheetName, anchorCell) => {
    expect(sheetCellOf(address)).toEqual({ sheetName, anchorCell });
  });

  test.each([
    [{}],
    [{ sheetName: 'S' }],
    [{ anchorCell: 'A1' }],
    [{ resultLocation: 'somewhere' }],
    [{ resultLocation: 'A1' }],
    [{ resultLocation: '!A1' }],
    [{ resultLocation: "'Sheet!A1" }],
    [{ sheetName: '', anchorCell: 'A1' }],
  ])('%j does not contain both', address => {
    expect(sheetCellOf(address)).toBeNull();
  });
});

describe('placements that match an address (operations.md)', () => {
  const placement = (id: string, fields: Partial<StoredPlacement> = {}): StoredPlacement => ({
    id,
    reportId: 1,
    externalWorkbookId: 'book',
    workbookName: null,
    host: null,
    sheetId: null,
    sheetName: 'S',
    anchorCell: 'A1',
    resultLocation: 'S!A1',
    endResultCell: null,
    resultChecksum: null,
    queryChecksum: null,
    placedBy: 1,
    placedAt: new Date(0),
    refreshedBy: null,
    refreshedAt: null,
    ...fields,
  });
  const known = [
    placement('one'),
    placement('two', { sheetId: '7' }),
    placement('three', { externalWorkbookId: 'other' }),
    placement('four', { sheetName: null, anchorCell: null, resultLocation: 'somewhere' }),
  ];
  const at = (address: Parameters<typeof placementsAt>[1]) => placementsAt(known, address).map(({ id }) => id);
  const cell = { externalWorkbookId: 'book', sheetName: 'S', anchorCell: 'A1' };

  test('matches by placementId and ignores other fields', () => {
    expect(at({ placementId: 'three', sheetName: 'X', externalWorkbookId: 'x' })).toEqual(['three']);
    expect(at({ placementId: 'none', ...cell })).toEqual([]);
  });

  test('matches the same sheet name and cell of the spreadsheet', () => {
    expect(at(cell)).toEqual(['one', 'two']);
    expect(at({ externalWorkbookId: 'book', resultLocation: 'S!$a$1:B2' })).toEqual(['one', 'two']);
    expect(at({ ...cell, externalWorkbookId: 'other' })).toEqual(['three']);
    expect(at({ ...cell, sheetName: 's' })).toEqual([]);
  });

  test('matches none without sheet name and cell', () => {
    expect(at({ externalWorkbookId: 'book', sheetName: 'S' })).toEqual([]);
    expect(at({ externalWorkbookId: 'book', anchorCell: 'A1' })).toEqual([]);
    expect(at({ externalWorkbookId: 'book', resultLocation: 'somewhere' })).toEqual([]);
    expect(at({ sheetName: 'S', anchorCell: 'A1' })).toEqual([]);
    expect(at({})).toEqual([]);
  });

  test('a sheetId excludes placements on other sheets, but does not match on its own', () => {
    expect(at({ ...cell, sheetId: '7' })).toEqual(['one', 'two']);
    expect(at({ ...cell, sheetId: '8' })).toEqual(['one']);
    expect(at({ externalWorkbookId: 'book', sheetId: '7', anchorCell: 'A1' })).toEqual([]);
  });
});
