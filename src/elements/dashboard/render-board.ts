import { html, noChange, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Grid, GridItem } from '../../report/layout/grid-layout.js';
import { stackWeight, type WidgetBoard } from '../../report/layout/widget-board.js';
import { type ContainerNode, openTab, type WidgetNode } from '../../report/layout/widget-tree.js';
import type { TabPanes } from './tab-panes.js';
import type { DashboardTile, WidgetList } from './widgets.js';

/** Private custom properties of an element, without the `--_` prefix. */
type CustomProperties = Readonly<Record<string, string | number>>;

class CustomPropertiesDirective extends Directive {
  #last: unknown = null;

  render(_key: unknown, _places: () => CustomProperties): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, [key, places]: [unknown, () => CustomProperties]): unknown {
    if (key === this.#last || !(element instanceof HTMLElement)) return noChange;
    this.#last = key;
    for (const [name, value] of Object.entries(places())) element.style.setProperty(`--_${name}`, String(value));
    return noChange;
  }
}

/**
 * Sets custom properties of an element during render, and again when `key` changes. A strict content security policy
 * does not allow style attributes.
 */
const customProperties = directive(CustomPropertiesDirective);

/** State and callbacks for rendering the widgets of a dashboard. */
interface BoardContext {
  readonly list: WidgetList;
  readonly board: WidgetBoard;
  readonly panes: TabPanes;
  /** Returns the id of the selected tab of a container; `null` if there is none. */
  readonly tabOf: (containerId: string) => string | null;
  /** Opens a tab of a container. */
  readonly onOpen: (containerId: string, tab: string) => void;
  /** Renders a tile with a heading of the given level. */
  readonly renderTile: (tile: DashboardTile, level: number) => TemplateResult;
}

/** Renders the grid of a dashboard; its headings start at `level`. */
export function renderBoard(scene: BoardContext, level: number): TemplateResult {
  return renderGrid(scene, scene.list.tree, scene.board.grid, level, 'grid');
}

function renderGrid(
  scene: BoardContext,
  nodes: readonly WidgetNode[],
  grid: Grid,
  level: number,
  part: 'grid' | typeof nothing = nothing,
): TemplateResult {
  const byKey = new Map(nodes.map(node => [node.key, node]));
  return html`<div class="grid" part=${part} ${customProperties(grid, () => gridPlaces(grid))}>
    ${repeat(
      grid.items,
      ({ id }) => id,
      item => {
        const node = byKey.get(item.id);
        return node ? renderCell(scene, node, level, item, () => cellPlaces(item)) : nothing;
      },
    )}
  </div>`;
}

function gridPlaces({ columns, rowHeight, margin, padding }: Grid): CustomProperties {
  return {
    columns,
    'row-height': `${rowHeight}px`,
    gap: `${margin[1]}px ${margin[0]}px`,
    'grid-padding': `${padding[1]}px ${padding[0]}px`,
  };
}

function cellPlaces({ x, y, w, h }: GridItem): CustomProperties {
  return { x: x + 1, y: y + 1, w, h };
}

function renderCell(
  scene: BoardContext,
  node: WidgetNode,
  level: number,
  key: unknown,
  places: () => CustomProperties,
): TemplateResult {
  const kind = node.type === 'divider' ? 'cell divider' : 'cell';
  return html`<div class=${kind} aria-hidden=${node.type === 'spacer' ? 'true' : nothing} ${customProperties(key, places)}>
    ${renderNode(scene, node, level)}
  </div>`;
}

function renderNode(scene: BoardContext, node: WidgetNode, level: number): unknown {
  switch (node.type) {
    case 'tile': {
      const tile = scene.list.tiles.get(node.key);
      return tile ? scene.renderTile(tile, level) : nothing;
    }
    case 'divider':
      return html`<hr part="divider" />`;
    case 'spacer':
      return nothing;
    case 'container':
      return renderContainer(scene, node, level);
    case 'error':
      return html`<pa-widget-error
        exportparts="tile, notice"
        .reason=${node.error}
        .name=${node.name}
      ></pa-widget-error>`;
  }
}

function renderContainer(scene: BoardContext, node: ContainerNode, level: number): TemplateResult {
  const { list, panes } = scene;
  const open = node.layout === 'tabs' ? openTab(node, scene.tabOf(node.widget.id)) : null;
  const below = node.title ? level + 1 : level;
  const tabs = node.children.map(({ title, node: child }) => ({
    id: child.key,
    title: title || titleOf(list, child),
    opened: child.key === open || panes.wasOpened(child.key),
  }));
  return html`<pa-container
    exportparts="heading, tabs, tab, tab-open, panel, notice"
    .heading=${node.title}
    .level=${level}
    .tabs=${node.layout === 'tabs' ? tabs : null}
    .open=${open}
    .empty=${node.children.length === 0}
    .onOpen=${(tab: string) => scene.onOpen(node.widget.id, tab)}
  >
    ${node.layout === 'tabs' ? renderPanes(scene, node, below, open) : renderStack(scene, node, below)}
  </pa-container>`;
}

function renderStack(scene: BoardContext, { key, children }: ContainerNode, level: number): unknown {
  const board = scene.board.containers.get(key);
  const nodes = children.map(child => child.node);
  if (board?.type === 'grid') return renderGrid(scene, nodes, board.grid, level);
  const direction = board?.type === 'stack' ? board.direction : 'vertical';
  return html`<div class=${`stack ${direction}`} ${customProperties(scene.board, () => stackPlaces(scene.board.grid))}>
    ${repeat(
      nodes,
      node => node.key,
      node =>
        renderCell(scene, node, level, `${direction} ${node.key}`, () => ({ weight: stackWeight(node, direction) })),
    )}
  </div>`;
}

function stackPlaces({ margin }: Grid): CustomProperties {
  return { gap: `${margin[1]}px ${margin[0]}px` };
}

function renderPanes(scene: BoardContext, { children }: ContainerNode, level: number, open: string | null): unknown {
  return children.map(({ node }, index) => {
    const isOpen = node.key === open;
    const todo = scene.panes.pane(node.key, scene.list, { isOpen });
    return html`<div class=${isOpen ? 'pane' : 'pane closed'} slot=${`tab-${index}`}>
      ${renderPane(scene, node, level, todo)}
    </div>`;
  });
}

function renderPane(scene: BoardContext, node: WidgetNode, level: number, todo: 'draw' | 'keep' | 'nothing'): unknown {
  if (todo === 'draw') return renderCell(scene, node, level, node.key, () => ({}));
  return todo === 'keep' ? noChange : nothing;
}

/** Returns the title of a widget; empty if there is none. */
function titleOf({ tiles }: WidgetList, node: WidgetNode): string {
  return node.type === 'container' ? node.title : (tiles.get(node.key)?.title ?? '');
}
