import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { JsonObject } from '../../../contract/wire.js';
import { checkSpec, type SpecProblem } from '../../../controllers/creator/check-spec.js';
import { dialogFormStyles, dialogStyles } from '../../creator/dialog.styles.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type ExploreMessages, exploreMessages } from './explore-messages.js';

/** Formats in which a chart can be written. */
const formats = ['vega', 'html'] as const;
type Format = (typeof formats)[number];
const formatNames: Readonly<Record<Format, string>> = { vega: 'Vega-Lite', html: 'HTML' };
/** Maximum number of characters that publishing accepts. */
const maxLengths: Readonly<Record<Format, number>> = { vega: 1_000_000, html: 300_000 };

/** A chart as text. */
export interface WrittenChart {
  readonly kind: Format;
  readonly spec: JsonObject | string;
}

const specDialogStyles = css`
  dialog {
    inline-size: min(760px, calc(100vw - 32px));
  }
  select {
    align-self: start;
  }
  textarea {
    min-block-size: min(420px, 45vh);
    padding-block: 8px;
    font: 400 13px/1.5 var(--_code-font);
    resize: vertical;
    tab-size: 2;
  }
  textarea[aria-invalid='true'] {
    border-color: var(--_danger);
  }
  .columns {
    margin: 0;
    color: var(--_muted);
    font: 400 12px/1.6 var(--_font);
    overflow-wrap: anywhere;
  }
  code {
    font-family: var(--_code-font);
  }
  .problem {
    margin: 0;
    color: var(--_danger);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .problem:empty {
    display: none;
  }
`;

/**
 * The dialog in which a chart is edited as text: a Vega-Lite specification, or HTML. A specification is checked before
 * it is used, and never evaluated.
 *
 * @summary The text of a chart in the editor.
 * @tagname pa-spec-dialog
 */
class PaSpecDialog extends LitElement {
  static override styles = [controls, dialogStyles, dialogFormStyles, specDialogStyles];

  @property({ attribute: false }) messages: ExploreMessages = exploreMessages;
  /** Format of the chart. */
  @property({ attribute: false }) format: Format = 'vega';
  /** Initial text of each format. */
  @property({ attribute: false }) texts: Readonly<Record<Format, string>> = { vega: '', html: '' };
  /** Columns of the rows. */
  @property({ attribute: false }) columns: readonly string[] = [];
  @property({ attribute: false }) onApply: (chart: WrittenChart) => void = () => {};
  @property({ attribute: false }) onClose: () => void = () => {};

  @state() private chosen: Format | null = null;
  /** Why the text cannot be used; empty if it can. */
  @state() private problem = '';
  @state() private isChecking = false;

  readonly #edited = new Map<Format, string>();

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
    const field = this.renderRoot.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(0, 0);
    field?.scrollTo({ top: 0 });
  }

  override render(): TemplateResult {
    const { options, cancel } = this.messages;
    const format = this.#format;
    return html`<dialog aria-labelledby="title" @close=${() => this.onClose()}>
      <form @submit=${this.#handleSubmit}>
        <h2 id="title">${options.spec}</h2>
        <label class="field">
          ${options.specFormat}
          <select name="format" @change=${this.#handleFormat}>
            ${formats.map(each => html`<option value=${each} .selected=${each === format}>${formatNames[each]}</option>`)}
          </select>
        </label>
        <label class="field">
          ${options.specText[format]}
          <textarea
            name="text"
            rows="16"
            dir="ltr"
            spellcheck="false"
            autocapitalize="off"
            required
            maxlength=${maxLengths[format]}
            aria-describedby="columns problem"
            aria-invalid=${this.problem ? 'true' : 'false'}
            .value=${this.#edited.get(format) ?? this.texts[format]}
            @input=${this.#handleInput}
          ></textarea>
        </label>
        <p class="columns" id="columns">
          ${options.specColumns}:
          ${this.columns.map((column, index) => html`${index > 0 ? ', ' : nothing}<code dir="ltr">${column}</code>`)}
        </p>
        <p class="problem" id="problem" role="alert">${this.problem}</p>
        <div class="buttons">
          <button type="button" @click=${this.#handleClose}>${cancel}</button>
          <button type="submit" class="primary" ?disabled=${this.isChecking}>
            ${this.isChecking ? options.checking : options.apply}
          </button>
        </div>
      </form>
    </dialog>`;
  }

  get #format(): Format {
    return this.chosen ?? this.format;
  }

  #messageOf(problem: SpecProblem): string {
    const { options } = this.messages;
    if (problem.kind === 'unavailable') return options.specUnavailable;
    if (problem.kind === 'rejected') return `${options.specRejected} ${problem.message}`;
    return options.specSyntax(problem.line, problem.column);
  }

  /** Moves the cursor to the error. */
  #showPlace(problem: SpecProblem): void {
    const field = this.renderRoot.querySelector('textarea');
    field?.focus();
    if (!field || problem.kind !== 'syntax') return;
    const lines = field.value.split('\n').slice(0, problem.line - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + problem.column - 1;
    field.setSelectionRange(offset, offset);
  }

  readonly #handleInput = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) this.#edited.set(this.#format, target.value);
    this.problem = '';
  };

  readonly #handleFormat = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    this.chosen = formats.find(each => each === target.value) ?? 'vega';
    this.problem = '';
  };

  readonly #handleSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const kind = this.#format;
    const text = this.#edited.get(kind) ?? this.texts[kind];
    if (kind === 'html') {
      // The tile removes everything that is not on its allowlist.
      this.#apply({ kind, spec: text });
      return;
    }
    this.isChecking = true;
    const { spec, problem } = await checkSpec(text, this.columns);
    this.isChecking = false;
    if (problem === null) {
      this.#apply({ kind, spec });
      return;
    }
    this.problem = this.#messageOf(problem);
    await this.updateComplete;
    this.#showPlace(problem);
  };

  #apply(chart: WrittenChart): void {
    this.onApply(chart);
    this.#handleClose();
  }

  readonly #handleClose = (): void => this.renderRoot.querySelector('dialog')?.close();
}

register('pa-spec-dialog', PaSpecDialog);

declare global {
  interface HTMLElementTagNameMap {
    'pa-spec-dialog': PaSpecDialog;
  }
}
