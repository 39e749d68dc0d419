import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ChatImage } from '../../../controllers/chat/chat-controller.js';
import { maxImages, maxInputLength } from '../../../controllers/chat/chat-status.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import type { ChatMessages } from '../chat-messages.js';
import { icon } from '../icons.js';
import { composerStyles } from './composer.styles.js';
import { type Draft, Drafts, emptyDraft, joinDrafts } from './drafts.js';

/** CSS parts of a composer, for `exportparts` of the enclosing element. */
export const composerParts = 'composer, input, send, attach, note, image';

/** Actions that a composer calls on its chat. */
export interface ComposerActions {
  /**
   * Sends a message. Resolves when its answer ends, with `false` if it could not be sent. Returns `null` if it was
   * rejected before it was sent; the composer then keeps the text.
   */
  readonly send: (text: string, images: readonly ChatImage[]) => Promise<boolean> | null;
  readonly stop: () => void;
  /** Puts the last message back into the composer. */
  readonly editLast: () => void;
  /** Moves focus to the newest answer. */
  readonly toAnswer: () => void;
}

/**
 * The form for a new message. The text is stored only in the text area, so that typing re-renders only what it changes.
 *
 * @summary The message form, inside a chat.
 * @tagname pa-chat-composer
 */
export class PaChatComposer extends LitElement {
  static override styles = [controls, composerStyles];

  /** Identifies the owner of the drafts. A different number discards them. */
  @property({ attribute: false }) owner = 0;
  /** `ChatController.thread` of the open thread. */
  @property({ attribute: false }) thread = 0;
  /** Id of the current thread, which is also the key of its draft; `null` for a new thread. */
  @property({ attribute: false }) chatId: string | null = null;
  /** Messages of the chat. */
  @property({ attribute: false }) messages: ChatMessages | null = null;
  /** Language of the chat. */
  @property({ attribute: false }) locale = 'en';
  /** Whether an answer is running. If so, the user can stop it, but cannot send a message. */
  @property({ attribute: false }) isBusy = false;
  /** Whether the chat is disabled. */
  @property({ attribute: false }) isOff = false;
  /** Actions of the chat. */
  @property({ attribute: false }) actions: ComposerActions | null = null;

  @state() private isEmpty = true;
  @state() private isTooLong = false;
  @state() private images: readonly ChatImage[] = [];
  @state() private note = '';

  #drafts = new Drafts();
  /** Pending image reads. Batches are read one after another, because each checks the number of images before it. */
  #reading: Promise<void> | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.get('thread') === undefined) return;
    const last = changed.has('chatId') ? changed.get('chatId') : this.chatId;
    if (changed.has('owner')) this.#drafts = new Drafts();
    else this.#drafts.set(last ?? '', this.#draft);
    this.#show(this.#drafts.get(this.chatId ?? ''));
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  /** Replaces the draft, to be edited and sent. */
  edit(text: string, images: readonly ChatImage[] = []): void {
    this.#show({ text, images });
    const input = this.#input;
    input?.focus();
    input?.setSelectionRange(text.length, text.length);
  }

  /**
   * Sends a message. If it fails later, its content returns to the draft. Returns `false` if it was rejected before it
   * was sent.
   */
  send(text: string, images: readonly ChatImage[]): boolean {
    const { thread, chatId } = this;
    const drafts = this.#drafts;
    const sending = this.actions?.send(text, images);
    void sending?.then(isSent => {
      // Another user may be signed in by now, or another thread may be open.
      if (isSent || drafts !== this.#drafts) return;
      if (thread === this.thread) this.#show(joinDrafts({ text, images }, this.#draft));
      else drafts.set(chatId ?? '', { text, images });
    });
    return Boolean(sending);
  }

  override render(): TemplateResult | typeof nothing {
    const { messages, locale } = this;
    if (!messages) return nothing;
    const note = this.isTooLong ? messages.tooLong(new Intl.NumberFormat(locale).format(maxInputLength)) : this.note;
    return html`<form
      part="composer"
      @submit=${this.#handleSubmit}
      @dragover=${this.#handleDragOver}
      @drop=${this.#handleDrop}
    >
      ${
        this.images.length > 0
          ? html`<pa-chat-attachments
              exportparts="image"
              .images=${this.images}
              .locale=${locale}
              .onChange=${this.#handleImages}
            ></pa-chat-attachments>`
          : nothing
      }
      <textarea
        part="input"
        rows="1"
        dir=${this.isEmpty ? nothing : 'auto'}
        enterkeyhint="send"
        aria-label=${messages.composer}
        aria-describedby="keys note"
        aria-keyshortcuts="Alt+PageUp"
        placeholder=${messages.placeholder}
        ?disabled=${this.isOff}
        @input=${this.#handleInput}
        @keydown=${this.#handleKey}
        @paste=${this.#handlePaste}
      ></textarea>
      <div class="row">
        ${this.#renderAttach(messages)}
        <span id="note" class="note" part="note" role="status">${note}</span>
        ${this.#renderSend(messages)}
      </div>
      <span id="keys" hidden>${messages.keys}</span>
    </form>`;
  }

  #renderAttach({ attach }: ChatMessages): TemplateResult {
    return html`<input
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label=${attach}
        @change=${this.#handleFiles}
      />
      <button
        class="quiet"
        part="attach"
        type="button"
        aria-label=${attach}
        title=${attach}
        ?disabled=${this.isOff}
        @click=${this.#handleAttach}
      >
        ${icon('attach')}
      </button>`;
  }

  /** Renders one button that sends or stops, so that it keeps focus. */
  #renderSend({ send, stop }: ChatMessages): TemplateResult {
    const label = this.isBusy ? stop : send;
    const canSend = !this.isOff && !this.isTooLong && (!this.isEmpty || this.images.length > 0);
    return html`<button
      class="send"
      part="send"
      type="submit"
      aria-label=${label}
      title=${label}
      aria-disabled=${this.isBusy || canSend ? 'false' : 'true'}
      @click=${this.#handleClick}
      @keydown=${this.#handleHold}
    >
      ${icon(this.isBusy ? 'stop' : 'send')}
    </button>`;
  }

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (this.isBusy) this.actions?.stop();
    else this.#send();
  };

  /** Ignores the second click of a double click, which was meant for the previous action of the button. */
  readonly #handleClick = (event: MouseEvent): void => {
    if (event.detail > 1) event.preventDefault();
  };

  /** Ignores auto-repeat of a held key. */
  readonly #handleHold = (event: KeyboardEvent): void => {
    if (event.repeat) event.preventDefault();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // Enter that confirms an IME composition (key code 229 in Safari) does not send.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (!this.isBusy) this.#send();
    } else if (event.key === 'ArrowUp' && this.isEmpty && !this.isBusy) {
      event.preventDefault();
      this.actions?.editLast();
    } else if (event.key === 'PageUp' && event.altKey) {
      event.preventDefault();
      this.actions?.toAnswer();
    }
  };

  readonly #handleInput = (): void => {
    const input = this.#input;
    if (!input) return;
    this.isEmpty = input.value.trim() === '';
    this.isTooLong = input.value.length > maxInputLength;
    if (this.note) this.note = '';
    fitHeight(input);
  };

  readonly #handleImages = (images: readonly ChatImage[]): void => {
    this.images = images;
    this.#input?.focus();
  };

  readonly #handleAttach = (): void => {
    this.#files?.click();
  };

  readonly #handleFiles = (): void => {
    const files = this.#files;
    if (!files) return;
    this.#attach([...(files.files ?? [])]);
    files.value = '';
    this.#input?.focus();
  };

  readonly #handlePaste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    // Spreadsheets put an image of the cells on the clipboard next to their text; paste the text.
    if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
    event.preventDefault();
    this.#attach(files);
  };

  readonly #handleDragOver = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };

  readonly #handleDrop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.#attach(files);
  };

  #attach(files: readonly File[]): void {
    const { thread } = this;
    const reading: Promise<void> = (this.#reading ?? Promise.resolve())
      .then(() => this.#read(files, thread))
      .finally(() => {
        if (this.#reading === reading) this.#reading = null;
      });
    this.#reading = reading;
  }

  async #read(files: readonly File[], thread: number): Promise<void> {
    const { messages } = this;
    if (!messages || this.isOff || files.length === 0) return;
    try {
      const [{ readImages }] = await Promise.all([
        import('../attachments/read-images.js'),
        import('../attachments/attachments-element.js'),
      ]);
      if (thread !== this.thread) return;
      const { images, refused } = await readImages(files, this.images.length);
      if (thread !== this.thread) return;
      // Images of a message that could not be sent may have been added in the meantime.
      this.images = [...this.images, ...images].slice(0, maxImages);
      this.note = refused.map(({ name, reason }) => messages.refused[reason](name)).join(' ');
    } catch {
      this.note = messages.attachFailed;
    }
  }

  #send(): void {
    if (this.#reading) void this.#sendRead(this.#reading, this.thread);
    else this.#sendDraft();
  }

  /** Waits for pending images, then sends unless a file was rejected. */
  async #sendRead(reading: Promise<void>, thread: number): Promise<void> {
    await reading;
    if (thread === this.thread && !this.isBusy && !this.note) this.#send();
  }

  #sendDraft(): void {
    const { text, images } = this.#draft;
    if (this.isOff || this.isTooLong || (text === '' && images.length === 0)) return;
    if (this.send(text, images)) this.#show(emptyDraft);
  }

  get #draft(): Draft {
    return { text: this.#input?.value.trim() ?? '', images: this.images };
  }

  #show({ text, images }: Draft): void {
    // Limit the images, because joined drafts can have more than `maxImages`.
    this.images = images.slice(0, maxImages);
    this.note = '';
    if (!this.#input) return;
    this.#input.value = text;
    this.#handleInput();
  }

  get #input(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  get #files(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input');
  }
}

/** Fits the height to the text in browsers without `field-sizing`. */
function fitHeight(input: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  input.style.setProperty('block-size', 'auto');
  input.style.setProperty('block-size', `${input.scrollHeight}px`);
}

register('pa-chat-composer', PaChatComposer);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-composer': PaChatComposer;
  }
}
