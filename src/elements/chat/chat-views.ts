import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessages } from './chat-messages.js';
import { type IconName, icon } from './icons.js';

/** The button at the edge of a page that opens a chat; on the side where the chat opens. */
export function launcher(
  { open }: ChatMessages,
  dir: 'ltr' | 'rtl' | null,
  isOpen: boolean,
  run: () => void,
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

/** A button of the header; `isOpen` of one that shows and hides something. */
export function headerButton(shape: IconName, label: string, run: () => void, isOpen?: boolean): TemplateResult {
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

/** Most suggestions that are shown. */
const most = 6;

/** Questions that can be asked by a press, each once. */
export function suggestionList(texts: readonly string[], label: string, ask: (text: string) => void): unknown {
  if (texts.length === 0) return nothing;
  const shown = [...new Set(texts)].slice(0, most);
  const chip = (text: string): TemplateResult =>
    html`<li><button part="suggestion" type="button" dir="auto" @click=${() => ask(text)}>${text}</button></li>`;
  return html`<ul class="suggestions" aria-label=${label}>
    ${shown.map(chip)}
  </ul>`;
}

/** Whether Escape was pressed and nothing inside has made use of it; 229 is how Safari says that a character is being written. */
export function isEscape({ key, keyCode, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  return key === 'Escape' && !defaultPrevented && !isComposing && keyCode !== 229;
}
