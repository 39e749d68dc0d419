import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { DashboardConfig, DashboardWidget } from '../../../contract/dashboards.js';
import { containerContent, isContainer } from '../../../report/layout/edit-containers.js';
import { maxLevels } from '../../../report/layout/widget-tree.js';
import { icon } from '../../creator/creator-icons.js';
import type { MenuAction } from '../../creator/menu/action-menu-element.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import type { InnerDrag } from './inner-drag.js';

/** Properties that the grid passes to the content of a container. */
export interface ContainerView {
  readonly config: DashboardConfig;
  readonly messages: WorkbookMessages;
  readonly isPreview: boolean;
  readonly drag: InnerDrag;
  readonly titleOf: (widget: DashboardWidget) => string;
  readonly actionsOf: (widget: DashboardWidget) => readonly MenuAction[];
  readonly onKey: (event: KeyboardEvent, widget: DashboardWidget) => void;
}

/** Renders the tiles of a container as a list. The published dashboard shows their content. */
export function renderContainerContent(view: ContainerView, container: DashboardWidget, level = 1): TemplateResult {
  const { layout, children } = containerContent(container);
  const { config, messages } = view;
  const inside = children.flatMap(({ id, title }) => {
    const child = config.widgets?.find(each => each.id === id);
    return child ? [{ child, title: title || view.titleOf(child) }] : [];
  });
  return html`<p class="note">
      ${messages.containerLayouts[layout]}${inside.length === 0 && !view.isPreview ? html` – ${messages.containerEmpty}` : ''}
    </p>
    <ul class="inside">
      ${repeat(
        inside,
        ({ child }) => child.id,
        ({ child, title }) => renderChild(view, child, title, level),
      )}
    </ul>`;
}

function renderChild(view: ContainerView, child: DashboardWidget, title: string, level: number): TemplateResult {
  const isNested = isContainer(child) && level < maxLevels;
  const content = isNested
    ? html`<div class="nested" data-container=${child.id}>${renderContainerContent(view, child, level + 1)}</div>`
    : '';
  const className = isNested ? 'nesting' : '';
  if (view.isPreview) {
    return html`<li class=${className}>
      <div class="chip"><span dir="auto">${title}</span></div>
      ${content}
    </li>`;
  }
  const { messages, drag } = view;
  return html`<li class=${className} data-child=${child.id}>
    <div class="chip">
      <button
        type="button"
        class="inner-handle"
        aria-label=${messages.moveTile(title)}
        aria-describedby="hint-inside"
        title=${messages.arrangeInside}
        @keydown=${(event: KeyboardEvent) => view.onKey(event, child)}
        @pointerdown=${(event: PointerEvent) => drag.start(event, child.id)}
        @pointermove=${drag.move}
        @pointerup=${drag.drop}
        @pointercancel=${drag.cancel}
      >
        <span class="grip">${icon('grip')}</span> <span class="label" dir="auto">${title}</span>
      </button>
      <pa-action-menu .label=${messages.tileActions(title)} .actions=${view.actionsOf(child)}></pa-action-menu>
    </div>
    ${content}
  </li>`;
}
