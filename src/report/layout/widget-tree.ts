import type { DashboardWidget, WidgetPosition } from '../../contract/dashboards.js';
import type { ContainerLayout } from '../../contract/widget-config.js';

/** Why something else stands where a widget should. */
export type WidgetError =
  /** Its type can't be drawn (yet). */
  | 'type'
  /** A container names a child that is not there. */
  | 'missing'
  /** It stands in another place already. */
  | 'twice'
  /** It would stand in itself. */
  | 'cycle'
  /** Containers nest deeper than they may. */
  | 'deep'
  /** The dashboard is an application of its own. */
  | 'app';

/** What stands in one place of a dashboard. `key` is the widget's id, made unique where the dashboard doesn't. */
export type WidgetNode =
  | { readonly type: 'tile' | 'divider' | 'spacer'; readonly key: string; readonly widget: DashboardWidget }
  | ContainerNode
  | {
      readonly type: 'trouble';
      readonly key: string;
      readonly widget: DashboardWidget | null;
      readonly trouble: WidgetError;
      /** Id of the widget, or its type where that is the trouble. */
      readonly name: string;
    };

/** A container with what stands in it. */
export interface ContainerNode {
  readonly type: 'container';
  readonly key: string;
  readonly widget: DashboardWidget;
  readonly layout: ContainerLayout;
  readonly direction: 'vertical' | 'horizontal';
  readonly columns: number;
  readonly title: string;
  /** Id of the tab that is open before the viewer chose; null for the first. */
  readonly initial: string | null;
  readonly children: readonly ContainerChild[];
}

/** A place in a container: of tabs a tab, whose id is the key of its node. */
export interface ContainerChild {
  /** Name that the container gives it; empty for none. */
  readonly title: string;
  readonly node: WidgetNode;
}

/** The widgets of a dashboard, sorted into what stands in what. */
export interface WidgetTree {
  /** What stands on the dashboard's own grid. */
  readonly nodes: readonly WidgetNode[];
  /** In reading order; they stand in a bar above the grid. */
  readonly controls: readonly DashboardWidget[];
  /** How many widgets are left out: a page draws 500 at most, and as many words in the place of a widget. */
  readonly left: number;
}

const maxWidgets = 500;
const maxChildren = 100;
/** Words in the place of a widget: containers can name what they can't have over and over. */
const maxWidgetErrors = 500;
/** Containers in containers, the outermost counted. */
const maxLevels = 4;
const defaultColumns = 12;
/** Longest name that a message says. */
const maxNameLength = 80;
const controlTypes: readonly string[] = ['FILTER', 'TIME_GRAIN', 'FIELD', 'PARENT'];

/** Place of what has none of its own. */
export const noPosition: WidgetPosition = { x: 0, y: 0, w: 12, h: 4 };

/**
 * Sorts the widgets of a dashboard into a tree: the children of a container stand in it alone, everything else on the dashboard's grid.
 * The first container that names a widget has it. What can't be placed leaves a word in its place, and the rest goes on. The legacy
 * type `TABS_CONTAINER` is a container of tabs.
 */
export function widgetTree(widgets: readonly DashboardWidget[]): WidgetTree {
  const shown = widgets.slice(0, maxWidgets);
  const inOrder = [...shown].sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
  const builder = new TreeBuilder(shown);
  return {
    nodes: builder.build(),
    controls: inOrder.filter(({ type }) => controlTypes.includes(type)),
    left: widgets.length - shown.length + builder.left,
  };
}

/** Every place of a tree, in reading order; containers before what is in them. */
export function allNodes(nodes: readonly WidgetNode[]): readonly WidgetNode[] {
  return nodes.flatMap(node =>
    node.type === 'container' ? [node, ...allNodes(node.children.map(child => child.node))] : [node],
  );
}

/** Tabs that can be opened, by the id of their container. */
export function tabsOf(nodes: readonly WidgetNode[]): ReadonlyMap<string, readonly string[]> {
  const containers = allNodes(nodes).flatMap(node =>
    node.type === 'container' && node.layout === 'tabs' ? [node] : [],
  );
  return new Map(containers.map(({ widget, children }) => [widget.id, children.map(({ node }) => node.key)]));
}

/** The tab that is open: the one that was chosen, else the one that is open at first; the first where neither is there. Null without tabs. */
export function openTab({ children, initial }: ContainerNode, chosen: string | null): string | null {
  const keys = children.map(child => child.node.key);
  return [chosen, initial].find(key => key !== null && keys.includes(key)) ?? keys[0] ?? null;
}

class TreeBuilder {
  readonly #widgets: readonly DashboardWidget[];
  readonly #byId = new Map<string, DashboardWidget>();
  /** The container that has a widget, by the widget's id. */
  readonly #holders = new Map<string, DashboardWidget>();
  readonly #placed = new Set<DashboardWidget>();
  readonly #keys = new Set<string>();
  /** The number that the next widget of an id is told from the others by. */
  readonly #numbers = new Map<string, number>();
  #troubles = 0;

  constructor(widgets: readonly DashboardWidget[]) {
    this.#widgets = widgets;
    for (const widget of widgets) if (!this.#byId.has(widget.id)) this.#byId.set(widget.id, widget);
    for (const widget of widgets.filter(isContainer)) {
      for (const { id } of childrenOf(widget)) if (!this.#holders.has(id)) this.#holders.set(id, widget);
    }
  }

  /** How many words were left out. */
  get left(): number {
    return Math.max(0, this.#troubles - maxWidgetErrors);
  }

  build(): readonly WidgetNode[] {
    const free = this.#widgets.filter(widget => this.#byId.get(widget.id) !== widget || !this.#holders.has(widget.id));
    const nodes = new Map<DashboardWidget, WidgetNode>();
    const add = (widget: DashboardWidget) => {
      if (!controlTypes.includes(widget.type)) nodes.set(widget, this.#node(widget, []));
    };
    free.forEach(add);
    // Only containers that hold each other are in nobody's place: the first of them is begun with.
    for (const widget of this.#widgets.filter(isContainer)) if (!this.#placed.has(widget)) add(widget);
    return this.#widgets.flatMap(widget => nodes.get(widget) ?? []);
  }

  #node(widget: DashboardWidget, around: readonly DashboardWidget[]): WidgetNode {
    this.#placed.add(widget);
    if (isContainer(widget)) {
      return around.length < maxLevels ? this.#container(widget, around) : this.#trouble('deep', widget.id, widget);
    }
    switch (widget.type) {
      case 'CHART':
      case 'TEXT':
        return { type: 'tile', key: this.#key(widget.id), widget };
      case 'DIVIDER':
        return { type: 'divider', key: this.#key(widget.id), widget };
      case 'SPACER':
        return { type: 'spacer', key: this.#key(widget.id), widget };
      default:
        return this.#trouble('type', widget.type, widget);
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
        return node.type === 'trouble' && ++this.#troubles > maxWidgetErrors ? [] : [{ title, node }];
      }),
    };
  }

  #child(id: string, widget: DashboardWidget | undefined, around: readonly DashboardWidget[]): WidgetNode {
    if (!widget) return this.#trouble('missing', id, null);
    if (around.includes(widget)) return this.#trouble('cycle', id, widget);
    const isElsewhere = this.#placed.has(widget) || this.#holders.get(id) !== around.at(-1);
    return isElsewhere ? this.#trouble('twice', id, widget) : this.#node(widget, around);
  }

  #trouble(trouble: WidgetError, name: string, widget: DashboardWidget | null): WidgetNode {
    // A key of its own sort: the widget itself may stand elsewhere.
    const key = this.#key(`!${widget?.id ?? name}`);
    return { type: 'trouble', key, widget, trouble, name: name.slice(0, maxNameLength) };
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
