import { expect } from '@open-wc/testing';
import { clampCell, moveCell, rangeOf } from '../../../../src/elements/parts/table/grid-cells.js';
import { tableCatalog } from '../../../../src/elements/parts/table/table-element.js';
import type { TableMessages } from '../../../../src/elements/parts/table/table-messages.js';
import {
  bodyHeight,
  offsetShowing,
  rowOffset,
  scrollOffset,
  visibleColumns,
  visibleRows,
} from '../../../../src/elements/parts/table/virtual-scroll.js';
import { createFormatter } from '../../../../src/report/format/format.js';
import { columnOrder, layOutColumns } from '../../../../src/report/table/column-layout.js';
import { selectColumns } from '../../../../src/report/table/report-table.js';
import { type Table, toTable } from '../../../../src/report/table/table.js';
import { defaultColumnSettings } from '../../../../src/report/table/table-settings.js';

const px = (size: number) => ({ unit: 'px', size }) as const;
const needs = (...widths: number[]) => widths.map(needed => ({ needed, minWidth: 0 }));
const fr = (size: number) => ({ unit: 'fr', size }) as const;

describe('visible table rows', () => {
  for (const count of [201, 5_000, 100_000, 1_000_000, 20_000_000]) {
    it(`match the scroll position, with all ${count} reachable`, () => {
      const space = { count, rowHeight: 32, viewport: 300 };
      const end = bodyHeight(space) - space.viewport;
      for (let step = 0; step <= 50; step++) {
        const top = (end * step) / 50;
        const { first, last, before, after } = visibleRows(space, top);
        const shift = top - before;
        const firstInSight = first + Math.floor(shift / 32);
        expect(before).to.be.at.most(top);
        expect(before + (last - first) * 32).to.be.at.least(Math.min(top + 300, bodyHeight(space)) - 1);
        expect(before + (last - first) * 32 + after).to.be.closeTo(bodyHeight(space), 1);
        expect(firstInSight).to.be.closeTo(Math.floor(rowOffset(space, top) / 32), 1);
        expect(last - first).to.be.lessThan(60);
      }
      expect(visibleRows(space, 0).first).to.equal(0);
      expect(visibleRows(space, end).last).to.equal(count);
    });
  }

  it('scroll by the minimum distance', () => {
    const space = { count: 1_000_000, rowHeight: 32, viewport: 320 };
    expect(offsetShowing(space, 5, 0)).to.equal(0);
    expect(offsetShowing(space, 15, 0)).to.equal(16 * 32 - 320);
    expect(offsetShowing(space, 15, 10_000)).to.equal(15 * 32);
    const offset = offsetShowing(space, 999_999, 0);
    expect(rowOffset(space, scrollOffset(space, offset))).to.be.closeTo(32_000_000 - 320, 1);
    expect(scrollOffset(space, offset)).to.be.closeTo(bodyHeight(space) - 320, 1);
  });

  it('are stable without a size', () => {
    expect(visibleRows({ count: 300, rowHeight: 32, viewport: 0 }, 0).first).to.equal(0);
    expect(visibleRows({ count: 300, rowHeight: 32, viewport: 0 }, 1e9).last).to.be.at.most(300);
  });
});

describe('visible table columns', () => {
  it('are those in the viewport plus half a width on either side', () => {
    const widths = Array.from({ length: 100 }, () => 100);
    expect(visibleColumns(widths, 0, 0, 400)).to.deep.equal({ first: 0, last: 6, before: 0, after: 9400 });
    expect(visibleColumns(widths, 2, 2000, 400)).to.deep.equal({ first: 20, last: 28, before: 1800, after: 7200 });
    expect(visibleColumns(widths, 0, 9600, 400)).to.include({ last: 100, after: 0 });
    expect(visibleColumns([], 0, 0, 400)).to.deep.equal({ first: 0, last: 0, before: 0, after: 0 });
  });
});

describe('column widths', () => {
  it('keep fixed widths and share the remaining space', () => {
    expect(layOutColumns([px(100), fr(1), fr(3)], needs(60, 60, 60), 500)).to.deep.equal([100, 100, 300]);
    expect(layOutColumns([px(100), null, fr(1)], needs(60, 60, 60), 500)).to.deep.equal([100, 60, 340]);
    expect(layOutColumns([null, null], needs(100, 300), 800)).to.deep.equal([200, 600]);
  });

  it('give a column with a larger minimum what it needs and share the rest', () => {
    expect(layOutColumns([fr(1), fr(3)], needs(100, 60), 300)).to.deep.equal([100, 200]);
    expect(layOutColumns([fr(1), fr(3), fr(1)], needs(80, 60, 20), 300)).to.deep.equal([80, 165, 55]);
  });

  it('are compact if the table would not fit otherwise', () => {
    const rooms = [
      { needed: 100, compact: 60, minWidth: 0 },
      { needed: 100, compact: 100, minWidth: 100 },
    ];
    expect(layOutColumns([null, null], rooms, 180)).to.deep.equal([80, 100]);
    expect(layOutColumns([null, null], rooms, 100)).to.deep.equal([60, 100]);
    expect(layOutColumns([px(50), px(50)], rooms, 300)).to.deep.equal([50, 100]);
    // A share reserves at most 144 px, which limits how far its column shrinks.
    const shared = [
      { needed: 400, compact: 100, minWidth: 0 },
      { needed: 200, compact: 100, minWidth: 0 },
    ];
    expect(layOutColumns([fr(1), null], shared, 272)).to.deep.equal([122, 150]);
  });

  it('shrink drawings before short values, which are in full if the table scrolls in any case', () => {
    const rooms = [
      { needed: 150, compact: 100, readable: 140, minWidth: 0 },
      { needed: 200, compact: 120, minWidth: 120 },
    ];
    expect(layOutColumns([null, null], rooms, 220)).to.deep.equal([100, 120]);
    expect(layOutColumns([null, null], rooms, 260)).to.deep.equal([140, 120]);
    expect(layOutColumns([null, null], rooms, 219)).to.deep.equal([140, 120]);
  });

  it('are at least the content width and the touch target size', () => {
    expect(layOutColumns([null, null], needs(100, 300), 200)).to.deep.equal([100, 300]);
    expect(layOutColumns([fr(1), px(9999), px(1)], needs(10, 100, 100), 200)).to.deep.equal([48, 1200, 48]);
    expect(layOutColumns([fr(1), fr(2)], needs(100, 300), 60)).to.deep.equal([100, 144]);
    expect(layOutColumns([], [], 200)).to.deep.equal([]);
  });
});

describe('column order', () => {
  const column = (kind: 'text' | 'figure' | 'header') =>
    ({ member: kind, title: kind, align: 'start', kind, settings: defaultColumnSettings }) as const;
  const tableOf = (kinds: readonly ('text' | 'figure' | 'header')[], heads: Table['heads'] = []): Table => ({
    ...toTable(
      { columns: [], rows: [], truncated: false, lastRefreshTime: null },
      { formatter: createFormatter('en') },
    ),
    columns: kinds.map(column),
    heads,
    headerCount: kinds.filter(kind => kind === 'header').length,
  });
  const order = (table: Table, width: number, availableWidth: number, chosen: number | null = 0) =>
    columnOrder(
      table,
      table.columns.map(() => width),
      { availableWidth, chosen },
    );

  it('is that of the report if the first figures are visible', () => {
    const table = tableOf(['text', 'figure', 'text', 'figure']);
    expect(order(table, 100, 200).columns).to.deep.equal([0, 1, 2, 3]);
    expect(order(tableOf(['text', 'text', 'figure']), 100, 300).columns).to.deep.equal([0, 1, 2]);
    expect(order(tableOf(['text', 'text', 'text']), 100, 100).columns).to.deep.equal([0, 1, 2]);
  });

  it('moves figures next to the first column if they would be off-screen', () => {
    const table = tableOf(['text', 'text', 'text', 'figure', 'text', 'figure']);
    expect(order(table, 100, 330).columns).to.deep.equal([0, 3, 5, 1, 2, 4]);
  });

  const heads = [
    [
      { title: '', from: 0, span: 1, kind: 'corner' },
      { title: 'short', from: 1, span: 2, kind: 'value' },
      { title: 'long', from: 3, span: 2, kind: 'value' },
    ],
  ] as const;

  it('shows one group of a pivot in a narrow box, or all by choice', () => {
    const table = tableOf(['header', 'figure', 'figure', 'figure', 'figure'], heads);
    expect(order(table, 100, 330)).to.deep.equal({ columns: [0, 1, 2], group: 0, isGrouped: true });
    expect(order(table, 100, 330, 7)).to.deep.equal({ columns: [0, 3, 4], group: 1, isGrouped: true });
    expect(order(table, 100, 330, null)).to.deep.equal({ columns: [0, 1, 2, 3, 4], group: null, isGrouped: true });
    expect(order(table, 200, 700).isGrouped).to.equal(false);
    expect(order(table, 60, 330).isGrouped).to.equal(false);
  });

  it('keeps headings above their columns', () => {
    const table = selectColumns(tableOf(['header', 'figure', 'figure', 'figure', 'figure'], heads), [0, 3, 4]);
    expect(table.heads[0]).to.deep.equal([heads[0][0], { ...heads[0][2], from: 1 }]);
    const groups = selectColumns(tableOf(['header', 'figure', 'figure', 'figure', 'figure'], heads), [0, 1, 3, 2]);
    expect(groups.heads[0]?.map(({ title, from, span }) => [title, from, span])).to.deep.equal([
      ['', 0, 1],
      ['short', 1, 1],
      ['long', 2, 1],
      ['short', 3, 1],
    ]);
  });
});

describe('grid position', () => {
  const size = { rows: 10, columns: 4, headRows: 2, page: 5 };

  it('moves by a page within the rows', () => {
    const move = (key: string, row: number, far = false) =>
      moveCell({ row, column: 1 }, { key, far, forward: 'ArrowRight' }, size)?.row;
    expect([
      move('PageDown', 0),
      move('PageDown', 7),
      move('PageUp', 7),
      move('PageUp', 2),
      move('PageUp', -1),
    ]).to.deep.equal([5, 9, 2, 0, -1]);
    expect([
      move('ArrowUp', -2),
      move('ArrowDown', 9),
      move('ArrowUp', 4, true),
      move('ArrowDown', 4, true),
    ]).to.deep.equal([-2, 9, -2, 9]);
    expect(move('x', 3)).to.equal(undefined);
    expect(clampCell({ row: 50, column: 50 }, { ...size, rows: 0 })).to.deep.equal({ row: -1, column: 3 });
  });

  it('forms a range with another position, in any order', () => {
    const range = { top: 1, bottom: 5, start: 2, end: 3 };
    expect(rangeOf({ row: 5, column: 2 }, { row: 1, column: 3 })).to.deep.equal(range);
    expect(rangeOf({ row: 1, column: 3 }, { row: 5, column: 2 })).to.deep.equal(range);
  });
});

describe('table messages', () => {
  const messageTexts = (messages: TableMessages): string[] => [
    messages.sortHint,
    messages.sortsShown,
    messages.ascending('X'),
    messages.descending('X'),
    messages.sortedBy('X'),
    messages.unsorted,
    messages.width('X'),
    messages.copyTooMany('9'),
    messages.cut,
    messages.total,
    messages.columnGroup,
    messages.allGroups,
    ...Object.values(messages.tones),
    ...[0, 1, 2, 5, 11, 100].flatMap(count => [
      messages.copied(count, String(count)),
      messages.leftOut(count, String(count)),
      messages.trend(count, String(count), '3', '4'),
    ]),
  ];

  it('exist in six languages', async () => {
    const { load, fallback } = tableCatalog;
    expect(Object.keys(load).sort()).to.deep.equal(['ar', 'de', 'es', 'fr', 'ja']);
    const english = messageTexts(fallback.messages);
    for (const loader of Object.values(load)) {
      const spoken = messageTexts(await loader());
      expect(spoken.length).to.equal(english.length);
      expect(spoken.every(text => text.trim() !== '')).to.equal(true);
      expect(spoken.filter((text, index) => text === english[index]).length).to.be.at.most(2);
    }
  });
});
