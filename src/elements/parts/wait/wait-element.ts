import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';

/** Formats a duration in whole seconds: `12s`, `2m 5s`. */
export function elapsedText(ms: number, locale: string): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const say = (value: number, unit: string): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(value);
  const rest = say(seconds % 60, 'second');
  return minutes === 0 ? rest : `${say(minutes, 'minute')} ${rest}`;
}

/** Styles of the overlay of a tile whose query is slow. */
const waitStyles = css`
  :host {
    display: flex;
    justify-content: center;
    container-type: inline-size;
    pointer-events: none;
  }
  .wait {
    display: flex;
    align-items: center;
    gap: 12px;
    box-sizing: border-box;
    max-inline-size: 100%;
    padding: 3px;
    padding-inline-start: 12px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_control-radius) + 3px);
    background: var(--_surface);
    color: var(--_muted);
    font-size: 13px;
    line-height: 1.3;
    pointer-events: auto;
  }
  .words {
    white-space: nowrap;
  }
  /* A narrow tile has space only for the seconds. */
  @container (inline-size < 200px) {
    .optional {
      display: none;
    }
    .wait {
      gap: 8px;
      padding-inline-start: 8px;
    }
  }
  .time {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .said {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  button {
    flex: none;
    color: var(--_text);
  }
  @media not (pointer: coarse) {
    button {
      min-block-size: 26px;
      padding-inline: 10px;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;

/**
 * States that a query is slow, counts the seconds while visible, and lets the viewer cancel it; afterwards states
 * that it was canceled. Screen readers announce it once, not every second, and only for visible tiles.
 *
 * @summary The overlay of a tile whose query is slow.
 * @tagname pa-tile-wait
 * @csspart wait - The frame.
 * @csspart button - The button.
 */
export class PaTileWait extends LitElement {
  static override styles = [controls, waitStyles];

  readonly #locale = new LocaleConsumer(this, pageCatalog);

  /** Heading of the tile. */
  @property({ attribute: false }) label = '';
  /** Start time of the query (`performance.now()`); `null` after it was canceled. */
  @property({ attribute: false }) since: number | null = null;
  /** Cancels the query. */
  @property({ attribute: false }) onCancel: () => void = () => {};
  /** Retries the query. */
  @property({ attribute: false }) onRetry: () => void = () => {};

  @state() private isOnScreen = false;
  @state() private wasSeen = false;

  #observer: IntersectionObserver | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new IntersectionObserver(entries => this.#handleEntries(entries));
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = null;
    this.isOnScreen = false;
    clearTimeout(this.#timer);
  }

  protected override updated(): void {
    clearTimeout(this.#timer);
    if (this.since === null || !this.isOnScreen || !this.isConnected) return;
    const untilNextSecond = 1000 - ((performance.now() - this.since) % 1000);
    this.#timer = setTimeout(() => this.requestUpdate(), untilNextSecond);
  }

  override render(): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const isStopped = this.since === null;
    const words = isStopped ? messages.stopped[0] : messages.stillWorking;
    // The live region must exist before its text, otherwise screen readers do not announce it.
    return html`<div class="said" role="status">${this.wasSeen ? `${this.label}: ${words}` : ''}</div>
      <div class="wait" part="wait">
        <span aria-hidden="true">
          <span class=${isStopped ? 'words' : 'words optional'}>${words}</span>
          ${
            this.since === null
              ? nothing
              : html`<span class="time">${elapsedText(performance.now() - this.since, locale)}</span>`
          }
        </span>
        <button part="button" type="button" @click=${isStopped ? this.onRetry : this.onCancel}>
          ${isStopped ? messages.retry : messages.cancel}
        </button>
      </div>`;
  }

  #handleEntries(entries: readonly IntersectionObserverEntry[]): void {
    this.isOnScreen = entries.at(-1)?.isIntersecting ?? false;
    if (this.isOnScreen) this.wasSeen = true;
  }
}

register('pa-tile-wait', PaTileWait);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-wait': PaTileWait;
  }
}
