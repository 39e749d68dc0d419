import type { DashboardWidget, WidgetPosition } from '../../contract/dashboards.js';
import type { ContainerLayout } from '../../contract/widget-config.js';

/** Reason why a widget cannot be displayed. */
export type WidgetError =
  /** Its type is not supported. */
  | 'type'
  /** A container references a child that does not exist. */
  | 'missing'
  /** It is already displayed elsewhere. */
  | 'twice'
  /** It would contain itself. */
  | 'cycle'
  /** Containers are nested too deeply. */
  | 'deep'
  /** The dashboard is a separate application. */
  | 'app';

/** A node of the widget tree. `key` is the widget id, made unique if the dashboard contains it several times. */
export type WidgetNode =
  | { readonly type: 'tile' | 'divider' | 'spacer'; readonly key: string; readonly widget: DashboardWidget }
  | ContainerNode
  | {
      readonly type: 'error';
      readonly key: string;
      readonly widget: DashboardWidget | null;
      readonly error: WidgetError;
      /** Id of the widget, or its type if the type is not supported. */
      readonly name: string;
    };

/** A container with its children. */
export interface ContainerNode {
  readonly type: 'container';
  readonly key: string;
  readonly widget: DashboardWidget;
  readonly layout: ContainerLayout;
  readonly direction: 'vertical' | 'horizontal';
  readonly columns: number;
  readonly title: string;
  /** Id of the default tab; `null` for the first. */
  readonly initial: string | null;
  readonly children: readonly ContainerChild[];
}

/** A child of a container; in a container of tabs, a tab, identified by the key of its node. */
export interface ContainerChild {
  /** Title in the container; empty if there is none. */
  readonly title: string;
  readonly node: WidgetNode;
}

/** The widgets of a dashboard as a tree. */
export interface WidgetTree {
  /** Nodes on the grid of the dashboard. */
  readonly nodes: readonly WidgetNode[];
  /** Controls in reading order, which are displayed in a bar above the grid. */
  readonly controls: readonly DashboardWidget[];
  /** Number of omitted widgets and error messages. A page displays at most 500 of each. */
  readonly omittedCount: number;
}

const maxWidgets = 500;
/** Maximum number of widgets in a container. */
export const maxChildren = 200;
/** Maximum number of error messages. It is limited because containers can reference invalid children many times. */
const maxWidgetErrors = 500;
/** Maximum nesting depth of containers, including the outermost. */
export const maxLevels = 4;
const defaultColumns = 12;
/** Maximum length of a name in a message. */
const maxNameLength = 80;
const controlTypes: readonly string[] = ['FILTER', 'TIME_GRAIN', 'FIELD', 'PARENT'];

/** Position of widgets without a position. */
export const noPosition: WidgetPosition = { x: 0, y: 0, w: 12, h: 4 };

/**
 * Builds the widget tree of a dashboard: children of containers are displayed only there, all other widgets on the
 * dashboard's grid. The first container that references a widget contains it. A widget that cannot be placed is
 * replaced by an error message. The legacy type `TABS_CONTAINER` is a container of tabs.
 */
export function widgetTree(widgets: readonly DashboardWidget[]): WidgetTree {
  const shown = widgets.slice(0, maxWidgets);
  const inOrder = [...shown].sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
  const builder = new TreeBuilder(shown);
  return {
    nodes: builder.build(),
    controls: inOrder.filter(({ type }) => controlTypes.includes(type)),
    omittedCount: widgets.length - shown.length + builder.omittedErrors,
  };
}

/** Returns all nodes of a tree in reading order; containers precede their children. */
export function allNodes(nodes: readonly WidgetNode[]): readonly WidgetNode[] {
  return nodes.flatMap(node =>
    node.type === 'container' ? [node, ...allNodes(node.children.map(child => child.node))] : [node],
  );
}

/** Returns the tab keys by container id. */
export function tabsOf(nodes: readonly WidgetNode[]): ReadonlyMap<string, readonly string[]> {
  const containers = allNodes(nodes).flatMap(node =>
    node.type === 'container' && node.layout === 'tabs' ? [node] : [],
  );
  return new Map(containers.map(({ widget, children }) => [widget.id, children.map(({ node }) => node.key)]));
}

/** Returns the open tab: the chosen one, otherwise the default, otherwise the first. `null` without tabs. */
export function openTab({ children, initial }: ContainerNode, chosen: string | null): string | null {
  const keys = children.map(child => child.node.key);
  return [chosen, initial].find(key => key !== null && keys.includes(key)) ?? keys[0] ?? null;
}

/**
 * Returns the key of a widget's node, and the tabs around it by container id; `null` if the tree does not contain the
 * widget.
 */
export function pathTo(
  nodes: readonly WidgetNode[],
  widgetId: string,
): { readonly key: string; readonly tabs: Readonly<Record<string, string>> } | null {
  for (const node of nodes) {
    if (node.type !== 'container') {
      if (node.type !== 'error' && node.widget.id === widgetId) return { key: node.key, tabs: {} };
      continue;
    }
    for (const { node: child } of node.children) {
      const found = pathTo([child], widgetId);
      if (!found) continue;
      return node.layout === 'tabs' ? { ...found, tabs: { ...found.tabs, [node.widget.id]: child.key } } : found;
    }
  }
  return null;
}

class TreeBuilder {
  readonly #widgets: readonly DashboardWidget[];
  readonly #byId = new Map<string, DashboardWidget>();
  /** The container of each widget, by widget id. */
  readonly #holders = new Map<string, DashboardWidget>();
  readonly #placed = new Set<DashboardWidget>();
  readonly #keys = new Set<string>();
  /** The next suffix by widget id, to make keys unique. */
  readonly #numbers = new Map<string, number>();
  #errorCount = 0;

  constructor(widgets: readonly DashboardWidget[]) {
    this.#widgets = widgets;
    for (const widget of widgets) if (!this.#byId.has(widget.id)) this.#byId.set(widget.id, widget);
    for (const widget of widgets.filter(isContainer)) {
      for (const { id } of childrenOf(widget)) if (!this.#holders.has(id)) this.#holders.set(id, widget);
    }
  }

  /** Number of omitted error messages. */
  get omittedErrors(): number {
    return Math.max(0, this.#errorCount - maxWidgetErrors);
  }

  build(): readonly WidgetNode[] {
    const free = this.#widgets.filter(widget => this.#byId.get(widget.id) !== widget || !this.#holders.has(widget.id));
    const nodes = new Map<DashboardWidget, WidgetNode>();
    const add = (widget: DashboardWidget) => {
      if (!controlTypes.includes(widget.type)) nodes.set(widget, this.#node(widget, []));
    };
    free.forEach(add);
    // Containers that contain each other have no outer container; the first of them becomes the root.
    for (const widget of this.#widgets.filter(isContainer)) if (!this.#placed.has(widget)) add(widget);
    return this.#widgets.flatMap(widget => nodes.get(widget) ?? []);
  }

  #node(widget: DashboardWidget, around: readonly DashboardWidget[]): WidgetNode {
    this.#placed.add(widget);
    if (isContainer(widget)) {
      return around.length < maxLevels ? this.#container(widget, around) : this.#error('deep', widget.id, widget);
    }
    switch (widget.type) {
      case 'CHART':
      case 'AI':
      case 'TEXT':
        return { type: 'tile', key: this.#key(widget.id), widget };
      case 'DIVIDER':
        return { type: 'divider', key: this.#key(widget.id), widget };
      case 'SPACER':
        return { type: 'spacer', key: this.#key(widget.id), widget };
      default:
        return this.#error('type', widget.type, widget);
    }
  }

  #container(widget: DashboardWidget, around: readonly DashboardWidget[]): ContainerNode {
    const { config } = widget;
    const columns = Number.isInteger(config?.cols) ? Number(config?.cols) : defaultColumns;
    return {
      type: 'container',
      key: this.#key(widget.id),
      widget,
      layout: containerLayout(widget),
      direction: config?.direction === 'horizontal' ? 'horizontal' : 'vertical',
      columns,
      title: text(config?.title),
      initial: text(config?.value) || null,
      children: childrenOf(widget).flatMap(({ id, title }) => {
        const child = this.#byId.get(id);
        if (child && controlTypes.includes(child.type)) return [];
        const node = this.#child(id, child, [...around, widget]);
        return node.type === 'error' && ++this.#errorCount > maxWidgetErrors ? [] : [{ title, node }];
      }),
    };
  }

  #child(id: string, widget: DashboardWidget | undefined, around: readonly DashboardWidget[]): WidgetNode {
    if (!widget) return this.#error('missing', id, null);
    if (around.includes(widget)) return this.#error('cycle', id, widget);
    const isElsewhere = this.#placed.has(widget) || this.#holders.get(id) !== around.at(-1);
    return isElsewhere ? this.#error('twice', id, widget) : this.#node(widget, around);
  }

  #error(error: WidgetError, name: string, widget: DashboardWidget | null): WidgetNode {
    // The prefix prevents a conflict with the key of the widget, which may be displayed elsewhere.
    const key = this.#key(`!${widget?.id ?? name}`);
    return { type: 'error', key, widget, error, name: name.slice(0, maxNameLength) };
  }

  #key(id: string): string {
    let key = id;
    let number = this.#numbers.get(id) ?? 2;
    for (; this.#keys.has(key); number++) key = `${id} (${number})`;
    this.#numbers.set(id, number);
    this.#keys.add(key);
    return key;
  }
}

function isContainer({ type }: DashboardWidget): boolean {
  return type === 'CONTAINER' || type === 'TABS_CONTAINER';
}

function containerLayout({ type, config }: DashboardWidget): ContainerLayout {
  const layout = config?.layout;
  if (type === 'TABS_CONTAINER' || layout === 'tabs') return 'tabs';
  return layout === 'grid' ? 'grid' : 'stack';
}

function childrenOf({ config }: DashboardWidget): readonly { readonly id: string; readonly title: string }[] {
  const children: readonly unknown[] = Array.isArray(config?.children) ? config.children : [];
  return children.slice(0, maxChildren).flatMap(child => {
    if (typeof child === 'string') return [{ id: child, title: '' }];
    if (typeof child !== 'object' || child === null || !('id' in child) || typeof child.id !== 'string') return [];
    return [{ id: child.id, title: 'title' in child ? text(child.title) : '' }];
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
