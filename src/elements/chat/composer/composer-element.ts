import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ChatImage } from '../../../controllers/chat/chat-controller.js';
import { maxImages, maxInputLength } from '../../../controllers/chat/chat-status.js';
import { controls } from '../../parts/tokens.styles.js';
import type { ChatMessages } from '../chat-messages.js';
import { icon } from '../icons.js';
import { composerStyles } from './composer.styles.js';
import { type Draft, Drafts, emptyDraft, joinDrafts } from './drafts.js';

/** Parts of a composer that a host may style, for `exportparts` of the element around it. */
export const composerParts = 'composer, input, send, attach, note, image';

/** What a composer does for its chat. */
export interface ComposerActions {
  /** Sends: a promise of its end, false where it could not be sent after all; null keeps the words. */
  readonly send: (text: string, images: readonly ChatImage[]) => Promise<boolean> | null;
  readonly stop: () => void;
  /** Fetches the last message back. */
  readonly editLast: () => void;
  /** Goes to the newest answer. */
  readonly toAnswer: () => void;
}

/**
 * Where a message is written. What is typed stays in the text area: typing draws nothing but what it changes.
 *
 * @summary Where a message is written, inside a chat.
 * @tagname pa-chat-composer
 */
export class PaChatComposer extends LitElement {
  static override styles = [controls, composerStyles];

  /** Whose drafts these are: with another number they are forgotten. */
  @property({ attribute: false }) owner = 0;
  /** Number of the thread that is written to. */
  @property({ attribute: false }) thread = 0;
  /** Its id, by which its draft is kept; null while it has none. */
  @property({ attribute: false }) chatId: string | null = null;
  /** Words of the chat. */
  @property({ attribute: false }) messages: ChatMessages | null = null;
  /** Language of the chat. */
  @property({ attribute: false }) locale = 'en';
  /** An answer is under way: it can be stopped, and nothing be sent. */
  @property({ attribute: false }) isBusy = false;
  /** Nothing can be sent at all. */
  @property({ attribute: false }) isOff = false;
  /** What it does for its chat. */
  @property({ attribute: false }) actions: ComposerActions | null = null;

  @state() private isEmpty = true;
  @state() private isTooLong = false;
  @state() private images: readonly ChatImage[] = [];
  @state() private note = '';

  #drafts = new Drafts();
  /** Images that are being read, one lot after the other, since each counts those before it. */
  #reading: Promise<void> | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.get('thread') === undefined) return;
    const last = changed.has('chatId') ? changed.get('chatId') : this.chatId;
    if (changed.has('owner')) this.#drafts = new Drafts();
    else this.#drafts.keep(last ?? '', this.#draft);
    this.#show(this.#drafts.take(this.chatId ?? ''));
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  /** Puts words in the place of what was written, to be changed and sent. */
  edit(text: string, images: readonly ChatImage[] = []): void {
    this.#show({ text, images });
    const input = this.#input;
    input?.focus();
    input?.setSelectionRange(text.length, text.length);
  }

  /** Sends words; what could not be sent after all is not lost. False where nothing was sent at once. */
  send(text: string, images: readonly ChatImage[]): boolean {
    const { thread, chatId } = this;
    const drafts = this.#drafts;
    const sending = this.actions?.send(text, images);
    void sending?.then(isSent => {
      // Others may be looking by now, or another thread be open.
      if (isSent || drafts !== this.#drafts) return;
      if (thread === this.thread) this.#show(joinDrafts({ text, images }, this.#draft));
      else drafts.keep(chatId ?? '', { text, images });
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
        dir="auto"
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

  /** One button, so that the focus stays on it. */
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

  /** The second press of a double click was meant for what the button did before. */
  readonly #handleClick = (event: MouseEvent): void => {
    if (event.detail > 1) event.preventDefault();
  };

  /** A key that is held presses again and again. */
  readonly #handleHold = (event: KeyboardEvent): void => {
    if (event.repeat) event.preventDefault();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // Enter that ends the input of a character is not for us; 229 is how Safari says so.
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
    // Spreadsheets offer a picture of the cells beside their text: the text is meant.
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
        import('../attachments/pa-chat-attachments.js'),
      ]);
      if (thread !== this.thread) return;
      const { images, refused } = await readImages(files, this.images.length);
      if (thread !== this.thread) return;
      // Others may have come meanwhile, with words that could not be sent.
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

  /** Sends with the images that are still being read; a file that can't go along is told first. */
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
    // A thread may have been written elsewhere, with more.
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

/** As high as its text, where the browser does not do so by itself. */
function fitHeight(input: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  input.style.setProperty('block-size', 'auto');
  input.style.setProperty('block-size', `${input.scrollHeight}px`);
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-composer': PaChatComposer;
  }
}
