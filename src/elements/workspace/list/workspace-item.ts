import { html, nothing, type TemplateResult } from 'lit';
import type { WorkspaceController } from '../../../controllers/creator/workspace-controller.js';
import type { WorkspaceItem } from '../../../controllers/creator/workspace-service.js';
import { icon } from '../../creator/creator-icons.js';
import type { MenuAction } from '../../creator/menu/action-menu-element.js';
import type { WorkspaceMessages } from './workspace-messages.js';

/** Messages, state and callbacks of the list that contains an item. */
interface ItemContext {
  readonly messages: WorkspaceMessages;
  /** Language of dates, as a BCP 47 tag. */
  readonly locale: string;
  readonly view: WorkspaceController['view'];
  readonly onOpen: (item: WorkspaceItem) => void;
  readonly onDuplicate: (item: WorkspaceItem) => void;
  readonly onRename: (item: WorkspaceItem) => void;
  readonly onMove: (item: WorkspaceItem) => void;
  readonly onRemove: (item: WorkspaceItem) => void;
  readonly onFavorite: (item: WorkspaceItem) => void;
}

/** Renders a folder or a workbook of the list, with the menu of its actions. */
export function renderItem(item: WorkspaceItem, context: ItemContext): TemplateResult {
  const { messages, locale, view } = context;
  const { type, id, name, updatedAt, publicId, path, isFavorite } = item;
  const label = isFavorite ? messages.removeFavorite(name) : messages.addFavorite(name);
  const isFolder = type === 'FOLDER';
  const state = publicId ? messages.published : messages.draft;
  return html`<li part="item">
    <button type="button" class="open" data-id=${id} data-type=${type} @click=${() => context.onOpen(item)}>
      <span class="kind ${isFolder ? 'folder' : ''}">${icon(isFolder ? 'folder' : 'board')}</span>
      <span class="unseen">${isFolder ? messages.folder : messages.dashboard} </span>
      <span class="name" dir="auto">${name}</span>
      ${(view.search || view.favorites) && path.length > 0 ? html`<span class="where" dir="auto">${path.join(' / ')}</span>` : nothing}
    </button>
    ${isFolder || view.scope === 'shared' ? nothing : html`<span class="badge ${publicId ? 'live' : ''}">${state}</span>`}
    <time datetime=${updatedAt} title=${messages.changed(formatTime(updatedAt, locale))}>${formatDay(updatedAt, locale)}</time>
    <button
      type="button"
      class=${isFavorite ? 'star on' : 'star'}
      aria-label=${label}
      title=${label}
      @click=${() => context.onFavorite(item)}
    >
      ${icon('star')}
    </button>
    <pa-action-menu .label=${messages.actions(name)} .actions=${actionsOf(item, context)}></pa-action-menu>
  </li>`;
}

function actionsOf(item: WorkspaceItem, context: ItemContext): readonly MenuAction[] {
  const { messages, view } = context;
  const isFolder = item.type === 'FOLDER';
  const open: MenuAction = { label: messages.open, icon: 'chevron', run: () => context.onOpen(item) };
  const copy: MenuAction = { label: messages.duplicate, icon: 'copy', run: () => context.onDuplicate(item) };
  if (view.scope === 'shared') return isFolder ? [open] : [open, copy];
  return [
    open,
    { label: messages.rename, icon: 'pencil', run: () => context.onRename(item) },
    { label: messages.move, icon: 'move', run: () => context.onMove(item) },
    ...(isFolder ? [] : [copy]),
    { label: messages.remove, icon: 'trash', isDangerous: true, run: () => context.onRemove(item) },
  ];
}

/** Formats a date, without the year if it is the current year. */
function formatDay(iso: string, locale: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) });
}

function formatTime(iso: string, locale: string): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
