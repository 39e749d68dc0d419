import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessages } from './chat-messages.js';
import { type IconName, icon } from './icons.js';

/** The button at the edge of the page that opens the chat, on the side where it opens. */
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

/** A button of the header. `isOpen` is the state of a button that shows and hides something. */
export function headerButton(
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

/** Maximum number of suggestions shown. */
const maxSuggestions = 6;

/** Suggested questions, without duplicates; a click sends one. */
export function suggestionList(texts: readonly string[], label: string, ask: (text: string) => void): unknown {
  if (texts.length === 0) return nothing;
  const shown = [...new Set(texts)].slice(0, maxSuggestions);
  const chip = (text: string): TemplateResult =>
    html`<li><button part="suggestion" type="button" dir="auto" @click=${() => ask(text)}>${text}</button></li>`;
  return html`<ul class="suggestions" aria-label=${label}>
    ${shown.map(chip)}
  </ul>`;
}

/**
 * Whether Escape was pressed, unless it was already handled or belongs to an IME composition (key code 229 in Safari).
 */
export function isEscape({ key, keyCode, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  return key === 'Escape' && !defaultPrevented && !isComposing && keyCode !== 229;
}
