import { html, nothing, type TemplateResult } from 'lit';
import { type ChatController, ChatStatus, suggestedReplies } from '../../controllers/chat/chat-controller.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import { notice, problemNotice, sessionNotice } from '../parts/notice.js';
import type { ChatMessages } from './chat-messages.js';
import type { PanelHost } from './chat-panel.js';
import { type IconName, icon } from './icons.js';
import type { ThreadList } from './thread-list.js';

/** Renders the button that opens the chat, at the edge of the page where the chat opens. */
export function launcher(
  { open }: ChatMessages,
  { dir, isOpen, run }: { readonly dir: 'ltr' | 'rtl' | null; readonly isOpen: boolean; readonly run: () => void },
): TemplateResult {
  return html`<button
    class="launcher"
    part="launcher"
    dir=${dir ?? nothing}
    type="button"
    aria-label=${open}
    title=${open}
    ?hidden=${isOpen}
    @click=${run}
  >
    <slot name="launcher">${icon('chat')}</slot>
  </button>`;
}

/** Renders a button of the header. For a toggle button, `isOpen` is `aria-expanded`. */
function headerButton(
  shape: IconName,
  label: string,
  run: () => void,
  { isOpen }: { readonly isOpen?: boolean } = {},
): TemplateResult {
  return html`<button
    class="quiet"
    part="button"
    type="button"
    aria-label=${label}
    title=${label}
    aria-expanded=${isOpen ?? nothing}
    @click=${run}
  >
    ${icon(shape)}
  </button>`;
}

interface HeaderActions {
  readonly threads: ThreadList;
  readonly startThread: () => void;
  readonly close: () => void;
}

/** Renders the title and the buttons of the header. */
export function chatHeader(
  { mode }: Pick<PanelHost, 'mode'>,
  { hasThreads, conversation }: ChatController,
  messages: ChatMessages,
  { threads, startThread, close }: HeaderActions,
): TemplateResult {
  return html`<header part="header">
    <slot name="header"><span class="title">${messages.chat}</span></slot>
    ${hasThreads ? headerButton('threads', messages.threads, threads.toggle, { isOpen: threads.isShown }) : nothing}
    ${conversation.turns.length > 0 ? headerButton('plus', messages.newThread, startThread) : nothing}
    ${mode === 'inline' ? nothing : headerButton('close', messages.close, close)}
  </header>`;
}

/** Renders the edge that resizes a panel or docked chat. */
export function edge(chat: PanelHost, { resize }: ChatMessages): TemplateResult {
  return html`<pa-chat-edge
    .chat=${chat}
    .label=${resize}
    .isPanel=${chat.mode === 'panel'}
    .isOpen=${chat.open}
  ></pa-chat-edge>`;
}

/** Maximum number of suggestions shown. */
const maxSuggestions = 6;

/** Renders the suggested questions, without duplicates; a click sends one. */
function suggestionList(texts: readonly string[], label: string, ask: (text: string) => void): unknown {
  if (texts.length === 0) return nothing;
  const shown = [...new Set(texts)].slice(0, maxSuggestions);
  const chip = (text: string): TemplateResult =>
    html`<li><button part="suggestion" type="button" dir="auto" @click=${() => ask(text)}>${text}</button></li>`;
  return html`<ul class="suggestions" aria-label=${label}>
    ${shown.map(chip)}
  </ul>`;
}

/**
 * Renders a session notice, the disabled state or a problem, above the content.
 * @param source - the session; `null` if the chat needs none.
 */
export function chatBanner(
  { isOff, problem, conversation }: ChatController,
  messages: ChatMessages,
  { source, run }: { readonly source: SessionSource | null; readonly run: () => void },
): TemplateResult | typeof nothing {
  const isInTranscript = conversation.turns.length > 0 && !isOff;
  const said =
    sessionNotice(source, messages) ??
    (isOff ? notice(messages.off, problem ? { label: messages.tryAgain, run } : null) : null) ??
    (problem && !isInTranscript ? problemNotice(problem, messages, run) : null);
  return said ? html`<div class="banner">${said}</div>` : nothing;
}

/** Renders the content of a thread without messages: a welcome text and suggested questions. */
export function emptyState(
  chat: ChatController,
  messages: ChatMessages,
  { suggestions, ask }: { readonly suggestions: readonly string[]; readonly ask: (text: string) => void },
): TemplateResult {
  const { status, isOff, problem } = chat;
  if (status === ChatStatus.loading) return html`<div class="empty"><p class="delayed">${messages.loading}</p></div>`;
  return html`<div class="empty">
    ${isOff || problem ? nothing : html`<slot name="empty">${notice(messages.welcome)}</slot>`}
    ${isOff ? nothing : suggestionList([...suggestions, ...chat.suggestions], messages.suggestions, ask)}
  </div>`;
}

/** Renders the replies that the last answer offers. */
export function replies(
  { status, conversation }: ChatController,
  { suggestions }: ChatMessages,
  ask: (text: string) => void,
): unknown {
  const last = conversation.turns.at(-1);
  if (status !== ChatStatus.idle || !last?.end) return nothing;
  return suggestionList(suggestedReplies(last), suggestions, ask);
}

/**
 * Whether Escape was pressed, unless it was already handled or belongs to an IME composition (key code 229 in Safari).
 */
export function isEscape({ key, keyCode, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  return key === 'Escape' && !defaultPrevented && !isComposing && keyCode !== 229;
}
