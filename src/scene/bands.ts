import type { DashboardLayout, WidgetPosition } from '../contract/dashboards.js';
import { type Grid, type GridItem, itemWidth } from '../report/layout/grid-layout.js';
import { containerHeights, stackWeight, type WidgetBoard, widgetBoard } from '../report/layout/widget-board.js';
import { type ContainerNode, openTab, type WidgetNode } from '../report/layout/widget-tree.js';

/** Position and size of a part of a page, px. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a band: a tile, the title of a container, or a line. */
export type BandItem =
  | { readonly type: 'tile'; readonly node: WidgetNode; readonly box: Box }
  | { readonly type: 'heading'; readonly text: string; readonly box: Box }
  | { readonly type: 'divider'; readonly box: Box };

/** Parts of a dashboard that are next to each other, with positions relative to the band. */
export interface Band {
  readonly items: readonly BandItem[];
  readonly height: number;
  /** Space above the band. */
  readonly gap: number;
}

const dividerHeight = 17;
const sectionHeight = 30;
/** Width in grid columns that is at least the width of any grid. */
const fullWidth = 1_000;

/** Titles of tabs and containers. */
export interface BandTitles {
  /** Title of a widget, for a tab without a title. */
  readonly titleOf: (node: WidgetNode) => string;
  /** Title of a tab whose widget has none. */
  readonly tab: (position: number) => string;
}

/** Options of `bandsOf`. */
interface BandOptions {
  readonly layout: DashboardLayout | null | undefined;
  readonly width: number;
  readonly titles: BandTitles;
}

/**
 * Divides a dashboard into bands: groups of widgets that overlap vertically. Bands follow each other, so that a page
 * break fits between any two of them. All tabs are included: each one is a section with its title.
 */
export function bandsOf(nodes: readonly WidgetNode[], options: BandOptions): Band[] {
  const { layout, width } = options;
  const board = widgetBoard(nodes, layout, width);
  const byKey = new Map(nodes.map(node => [node.key, node]));
  return groupRows(board.grid.items).flatMap(items => {
    const placed = items.flatMap(item => {
      const node = byKey.get(item.id);
      return node ? [{ node, box: boxOf(item, board.grid, width) }] : [];
    });
    const top = Math.min(...placed.map(({ box }) => box.y));
    const placer = new Placer(board, options, { isAlone: placed.length === 1 });
    const bandItems = placed.flatMap(({ node, box }) => placer.place(node, { ...box, y: box.y - top }));
    const height = Math.max(0, ...bandItems.map(({ box }) => box.y + box.height));
    const band: Band = { items: bandItems, height, gap: board.grid.margin[1] };
    return [
      ...(bandItems.length > 0 ? [band] : []),
      ...placer.sections.flatMap(section => sectionBands(section, options)),
    ];
  });
}

/** Groups grid items that overlap vertically. */
function groupRows(items: readonly GridItem[]): GridItem[][] {
  const groups: GridItem[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of [...items].sort((a, b) => a.y - b.y || a.x - b.x)) {
    if (item.y >= end) groups.push([]);
    groups.at(-1)?.push(item);
    end = Math.max(end, item.y + item.h);
  }
  return groups;
}

function boxOf({ x, y, w, h }: GridItem, grid: Grid, width: number): Box {
  const { margin, padding, rowHeight } = grid;
  const left = x === 0 ? 0 : itemWidth(grid, width, x) + margin[0];
  return {
    x: padding[0] + left,
    y: y * (rowHeight + margin[1]),
    width: itemWidth(grid, width, w),
    height: h * rowHeight + (h - 1) * margin[1],
  };
}

/** A tab with its title. */
interface Section {
  readonly title: string;
  readonly node: WidgetNode;
  /** Height of the tab on a page, px. */
  readonly height: number;
  readonly rowHeight: number;
  readonly gap: number;
}

function sectionBands({ title, node, height, rowHeight, gap }: Section, options: BandOptions): Band[] {
  const rows = Math.max(1, Math.round((height + gap) / (rowHeight + gap)));
  const heading: BandItem = {
    type: 'heading',
    text: title,
    box: { x: 0, y: 0, width: options.width, height: sectionHeight },
  };
  const [first, ...others] = bandsOf([atFullWidth(node, rows)], options);
  const moved = (first?.items ?? []).map(item => moveDown(item, sectionHeight));
  return [{ items: [heading, ...moved], height: sectionHeight + (first?.height ?? 0), gap }, ...others];
}

function moveDown(item: BandItem, distance: number): BandItem {
  return { ...item, box: { ...item.box, y: item.box.y + distance } };
}

/** Gives a node the whole width of a grid. */
function atFullWidth(node: WidgetNode, rows: number): WidgetNode {
  if (node.type === 'error') return node;
  const position: WidgetPosition = { x: 0, y: 0, w: fullWidth, h: rows };
  const { responsiveLayouts: _, ...widget } = node.widget;
  return { ...node, widget: { ...widget, position } };
}

/** Places the widgets of a band. */
class Placer {
  /** Tabs that follow the band. */
  readonly sections: Section[] = [];
  readonly #board: WidgetBoard;
  readonly #options: BandOptions;
  readonly #isAlone: boolean;

  constructor(board: WidgetBoard, options: BandOptions, { isAlone }: { readonly isAlone: boolean }) {
    this.#board = board;
    this.#options = options;
    this.#isAlone = isAlone;
  }

  place(node: WidgetNode, box: Box): BandItem[] {
    switch (node.type) {
      case 'tile':
      case 'error':
        return [{ type: 'tile', node, box }];
      case 'divider':
        return [{ type: 'divider', box }];
      case 'spacer':
        return [];
      case 'container':
        return this.#container(node, box);
    }
  }

  #container(node: ContainerNode, box: Box): BandItem[] {
    const heading: BandItem[] = node.title
      ? [{ type: 'heading', text: node.title, box: { ...box, height: containerHeights.heading } }]
      : [];
    const top = node.title ? containerHeights.heading : 0;
    const inner = { ...box, y: box.y + top, height: Math.max(0, box.height - top) };
    if (node.layout === 'tabs') return this.#tabs(node, box, inner);
    return [...heading, ...(node.layout === 'grid' ? this.#grid(node, inner) : this.#stack(node, inner))];
  }

  /** Places the open tab next to other widgets; the other tabs follow as sections. */
  #tabs(node: ContainerNode, box: Box, inner: Box): BandItem[] {
    const { titles } = this.#options;
    const { rowHeight, margin } = this.#board.grid;
    const height = Math.max(0, inner.height - containerHeights.tabs);
    const tabs = node.children.map(({ title, node: child }, index) => {
      const own = title || titles.titleOf(child) || titles.tab(index + 1);
      return { child, title: node.title ? `${node.title} · ${own}` : own };
    });
    const open = this.#isAlone ? null : openTab(node, null);
    for (const { child, title } of tabs) {
      if (child.key !== open) this.sections.push({ title, node: child, height, rowHeight, gap: margin[1] });
    }
    const shown = tabs.find(({ child }) => child.key === open);
    if (!shown) return [];
    const pane = { ...box, y: box.y + sectionHeight, height: Math.max(0, box.height - sectionHeight) };
    return [
      { type: 'heading', text: shown.title, box: { ...box, height: sectionHeight } },
      ...this.place(shown.child, pane),
    ];
  }

  #grid({ key, children }: ContainerNode, box: Box): BandItem[] {
    const board = this.#board.containers.get(key);
    if (board?.type !== 'grid') return [];
    const { grid } = board;
    return grid.items.flatMap(item => {
      const child = children.find(({ node }) => node.key === item.id);
      if (!child) return [];
      const inner = boxOf(item, grid, box.width);
      return this.place(child.node, { ...inner, x: box.x + inner.x, y: box.y + grid.padding[1] + inner.y });
    });
  }

  #stack({ key, children }: ContainerNode, box: Box): BandItem[] {
    const board = this.#board.containers.get(key);
    const direction = board?.type === 'stack' ? board.direction : 'vertical';
    const [gapX, gapY] = this.#board.grid.margin;
    const nodes = children.map(({ node }) => node);
    const isRow = direction === 'horizontal';
    const fixed = (node: WidgetNode): number | null => (!isRow && node.type === 'divider' ? dividerHeight : null);
    const gaps = Math.max(0, nodes.length - 1) * (isRow ? gapX : gapY);
    const used = nodes.reduce((total, node) => total + (fixed(node) ?? 0), gaps);
    const weights = nodes.map(node => (fixed(node) === null ? stackWeight(node, direction) : 0));
    const total = Math.max(
      1,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
    const freeSpace = Math.max(0, (isRow ? box.width : box.height) - used);
    let at = isRow ? box.x : box.y;
    return nodes.flatMap((node, index) => {
      const length = fixed(node) ?? (freeSpace * (weights[index] ?? 0)) / total;
      const place = isRow ? { ...box, x: at, width: length } : { ...box, y: at, height: length };
      at += length + (isRow ? gapX : gapY);
      return this.place(node, place);
    });
  }
}
