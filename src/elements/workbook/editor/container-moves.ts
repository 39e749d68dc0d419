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

/** Where a widget is put. */
interface Place {
  readonly items?: readonly GridItem[] | null;
  readonly index?: number;
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
      // A drop on its own container changes the position in it.
      containers: id => this.targetIds(id).add(containerOf(host.view().config, id)?.id ?? ''),
      onDrop: (id, drop) => this.move(id, drop.container, drop),
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
   * Moves a widget into a container, within it or to the grid, focuses it there, and announces the result.
   * @param place - position in the container (the end by default), or positions on the grid (the first free one by
   * default).
   */
  move(id: string, target: string | null, place: Place = {}): void {
    const before = this.#host.view().config;
    const { items, index } = place;
    const config = items ? moveToGrid(before, id, items) : moveToContainer(before, id, target, index);
    if (config === before) return;
    const isReordered = target !== null && containerOf(before, id)?.id === target;
    this.#host.onChange(config, isReordered ? this.#positionIn(config, id) : this.#announce(config, id, target), id);
  }

  #announce(config: DashboardConfig, id: string, target: string | null): string {
    const { messages } = this.#host.view();
    const [widget, container] = [id, target].map(each => config.widgets?.find(known => known.id === each));
    const title = widget ? this.#host.titleOf(widget) : id;
    return container ? messages.movedInto(title, this.#host.titleOf(container)) : messages.takenOut(title);
  }

  /** Returns the announcement of a widget's position in its container. */
  #positionIn(config: DashboardConfig, id: string): string {
    const [widget, holder] = [config.widgets?.find(each => each.id === id), containerOf(config, id)];
    if (!widget || !holder) return '';
    const position = containerContent(holder).children.findIndex(child => child.id === id) + 1;
    return this.#host.view().messages.movedTo(this.#host.titleOf(widget), position);
  }

  #step(widget: DashboardWidget, step: 1 | -1): void {
    const config = moveInContainer(this.#host.view().config, widget.id, step);
    if (config === this.#host.view().config) return;
    this.#host.onChange(config, this.#positionIn(config, widget.id), widget.id);
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
