import type { TemplateResult } from 'lit';
import type { DashboardConfig, DashboardWidget } from '../../../contract/dashboards.js';
import type { EditBoard } from '../../../report/layout/edit-board.js';
import {
  containerContent,
  containerOf,
  containerTargets,
  moveInContainer,
  moveToContainer,
  moveToGrid,
  removeFromContainer,
  sizeOnGrid,
} from '../../../report/layout/edit-containers.js';
import type { GridItem } from '../../../report/layout/grid-layout.js';
import type { MenuAction } from '../../creator/menu/action-menu-element.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { renderContainerContent } from './container-content.js';
import { DropTargets } from './drop-targets.js';
import { InnerDrag } from './inner-drag.js';
import type { PlacedTiles } from './placed-tiles.js';

/** The grid that contains the containers. */
interface ContainerHost {
  readonly grid: () => HTMLElement | null;
  readonly board: () => EditBoard;
  readonly tiles: PlacedTiles;
  readonly view: () => {
    readonly config: DashboardConfig;
    readonly messages: WorkbookMessages;
    readonly isPreview: boolean;
    readonly onEdit: (widget: DashboardWidget) => void;
  };
  readonly titleOf: (widget: DashboardWidget) => string;
  readonly isEditable: (widget: DashboardWidget) => boolean;
  /** Called with the changed draft, a message for screen readers, and the id of the widget that gets the focus. */
  readonly onChange: (config: DashboardConfig, announcement: string, focusId: string) => void;
}

/** Steps of the arrow keys in a container. */
const innerSteps: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** Moves tiles into, within and out of containers, with pointer, menu and keyboard. */
export class ContainerMoves {
  readonly #host: ContainerHost;
  readonly targets: DropTargets;
  /** A tile of a container that is dragged. */
  readonly drag: InnerDrag;

  constructor(host: ContainerHost) {
    this.#host = host;
    this.targets = new DropTargets(host.grid);
    this.drag = new InnerDrag({
      targets: this.targets,
      grid: host.grid,
      board: host.board,
      sizeOf: id => sizeOnGrid(host.view().config, id),
      place: (items, placeholder) => host.tiles.place(items, placeholder),
      // A drop on its own container has no effect.
      containers: id => this.targetIds(id).add(containerOf(host.view().config, id)?.id ?? ''),
      onDrop: (id, drop) => this.move(id, drop.container, drop.container === null ? drop.items : null),
    });
  }

  /** Returns the ids of the containers that can contain a widget. */
  targetIds(id: string): Set<string> {
    return new Set(containerTargets(this.#host.view().config, id).map(container => container.id));
  }

  /** Renders the content of a container. */
  render(container: DashboardWidget): TemplateResult {
    const { config, messages, isPreview } = this.#host.view();
    const { titleOf } = this.#host;
    const actionsOf = (widget: DashboardWidget) => this.#actionsOf(widget);
    const onKey = (event: KeyboardEvent, widget: DashboardWidget) => this.#handleKey(event, widget);
    return renderContainerContent(
      { config, messages, isPreview, drag: this.drag, titleOf, actionsOf, onKey },
      container,
    );
  }

  /** Actions that move a widget into each container that can contain it. */
  moveActions({ id }: DashboardWidget): readonly MenuAction[] {
    return containerTargets(this.#host.view().config, id).map(container => ({
      label: this.#host.view().messages.moveInto(this.#host.titleOf(container)),
      icon: 'move',
      run: () => this.move(id, container.id),
    }));
  }

  /** Actions of a tile in a container. */
  #actionsOf(widget: DashboardWidget): readonly MenuAction[] {
    const { messages } = this.#host.view();
    return [
      ...(this.#host.isEditable(widget)
        ? [{ label: messages.edit, icon: 'pencil' as const, run: () => this.#host.view().onEdit(widget) }]
        : []),
      { label: messages.takeOut, icon: 'board', run: () => this.move(widget.id, null) },
      ...this.moveActions(widget),
      { label: messages.earlier, icon: 'up', run: () => this.#step(widget, -1) },
      { label: messages.later, icon: 'down', run: () => this.#step(widget, 1) },
      { label: messages.remove, icon: 'trash', isDangerous: true, run: () => this.#remove(widget) },
    ];
  }

  /**
   * Moves a widget into a container or to the grid, focuses it there, and announces the result.
   * @param items - positions on the grid; `null` for the first free position.
   */
  move(id: string, target: string | null, items: readonly GridItem[] | null = null): void {
    const before = this.#host.view().config;
    const config = items ? moveToGrid(before, id, items) : moveToContainer(before, id, target);
    const [widget, container] = [id, target].map(each => config.widgets?.find(known => known.id === each));
    if (config === before || !widget) return;
    const { messages } = this.#host.view();
    const title = this.#host.titleOf(widget);
    const announcement = container
      ? messages.movedInto(title, this.#host.titleOf(container))
      : messages.takenOut(title);
    this.#host.onChange(config, announcement, id);
  }

  #step(widget: DashboardWidget, step: 1 | -1): void {
    const config = moveInContainer(this.#host.view().config, widget.id, step);
    if (config === this.#host.view().config) return;
    const children = containerContent(containerOf(config, widget.id) ?? widget).children;
    const position = children.findIndex(({ id }) => id === widget.id) + 1;
    this.#host.onChange(config, this.#host.view().messages.movedTo(this.#host.titleOf(widget), position), widget.id);
  }

  #remove(widget: DashboardWidget): void {
    const { config } = this.#host.view();
    const holder = containerOf(config, widget.id)?.id ?? '';
    this.#host.onChange(
      removeFromContainer(config, widget.id),
      this.#host.view().messages.removed(this.#host.titleOf(widget)),
      holder,
    );
  }

  #handleKey(event: KeyboardEvent, widget: DashboardWidget): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const step = innerSteps[key];
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'Escape' && this.drag.cancel()) event.stopPropagation();
    else if (key === 'Delete' || key === 'Backspace') this.#remove(widget);
    else if (key === 'Enter' && this.#host.isEditable(widget)) this.#host.view().onEdit(widget);
    else if (step) this.#step(widget, step);
    else return;
    event.preventDefault();
  }
}
