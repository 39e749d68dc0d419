import { html, type TemplateResult } from 'lit';
import type { FilterChoice } from '../../../report/controls.js';
import type { Messages } from '../../messages/messages.js';
import { notice, problemNotice } from '../notice.js';
import type { TileView } from './tile-view.js';

/** What stands in the place of a report that isn't there. */
export type MessageView = Extract<TileView, { status: 'notice' | 'stopped' | 'failed' }>;

/** What a message offers, and the filters that may have left nothing. */
export interface MessageOptions {
  readonly messages: Messages;
  readonly locale: string;
  /** A failure is explained elsewhere. */
  readonly quiet: boolean;
  readonly filters: readonly FilterChoice[];
  readonly onRetry: () => void;
  readonly canClear: (filter: FilterChoice) => boolean;
  readonly onClear: (filters: readonly FilterChoice[]) => void;
}

/** Says why nothing is shown, and offers what can be done about it. */
export function tileMessage(view: MessageView, options: MessageOptions): TemplateResult {
  return html`<div class="message">${words(view, options)}</div>`;
}

function words(view: MessageView, options: MessageOptions): TemplateResult {
  const { messages, onRetry, quiet } = options;
  if (view.status === 'failed' && quiet) return html`<p class="quiet">${messages.notLoaded}</p>`;
  if (view.status === 'failed') return problemNotice(view.problem, messages, onRetry);
  if (view.status === 'stopped') return notice(messages.stopped, { label: messages.retry, run: onRetry });
  return view.notice === 'emptyChosen' ? emptyNotice(options) : notice(messages[view.notice]);
}

/** Names the filters that left nothing, with a button that takes away those of the viewer's that may be. */
function emptyNotice({ messages, locale, filters, canClear, onClear }: MessageOptions): TemplateResult {
  if (filters.length === 0) return notice(messages.emptyChosen);
  const names = new Intl.ListFormat(locale).format(new Set(filters.map(({ title }) => title)));
  const removable = filters.filter(canClear);
  const action =
    removable.length > 0 ? { label: messages.clearFilters(removable.length), run: () => onClear(removable) } : null;
  return notice([messages.emptyChosen[0], messages.emptyChosenBy(names)], action);
}
