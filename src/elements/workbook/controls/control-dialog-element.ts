import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { DashboardWidget } from '../../../contract/dashboards.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { type Member, type MemberSource, readModel } from '../../../report/explore/members.js';
import { type ControlKind, controlKinds, type NewControl } from '../../../report/layout/edit-controls.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';

/**
 * The dialog that adds or changes a control of a dashboard: its kind, its field and its title.
 *
 * @summary The dialog for a control in the editor.
 * @tagname pa-control-dialog
 */
class PaControlDialog extends LitElement {
  static override styles = [
    controls,
    noticeStyles,
    dialogStyles,
    css`
      .field + .field {
        margin-block-start: 12px;
      }
    `,
  ];

  readonly #model = new LoadController<'model', readonly MemberSource[]>(this, {
    source: () => this.source,
    key: () => 'model',
    load: async (session, _key, signal) => readModel(await session.meta({ signal })),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  /** The control to change; `null` for a new one. */
  @property({ attribute: false }) widget: DashboardWidget | null = null;
  @property({ attribute: false }) onSave: (control: NewControl) => void = () => {};
  @property({ attribute: false }) onClose: () => void = () => {};

  @state() private kind: ControlKind = 'FILTER';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('widget') && this.widget?.type === 'TIME_GRAIN') this.kind = 'TIME_GRAIN';
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    const { messages, widget } = this;
    const { state: loading } = this.#model;
    return html`<dialog aria-labelledby="title" @close=${() => this.onClose()}>
      <form method="dialog" @submit=${this.#handleSubmit}>
        <h2 id="title">${widget ? messages.editControl : messages.addControl}</h2>
        ${
          loading.status === 'failed'
            ? notice(
                messages.failed[loading.problem.kind],
                { label: messages.retry, run: () => void this.#model.reload() },
                problemDetails(loading.problem, messages),
              )
            : this.#renderFields(loadedValue(loading) ?? [])
        }
        <div class="buttons">
          <button type="button" @click=${this.#handleClose}>${messages.cancel}</button>
          <button type="submit" class="primary" ?disabled=${loading.status !== 'ready'}>${messages.save}</button>
        </div>
      </form>
    </dialog>`;
  }

  #renderFields(sources: readonly MemberSource[]): TemplateResult {
    const { messages, widget } = this;
    const config = widget?.config;
    return html`<label class="field">
        ${messages.controlKind}
        <select name="kind" @change=${this.#handleKind}>
          ${controlKinds.map(
            kind => html`<option value=${kind} ?selected=${kind === this.kind}>${messages.controlKinds[kind]}</option>`,
          )}
        </select>
      </label>
      <label class="field">
        ${messages.controlField}
        <select name="member" required>
          ${sources.map(source => this.#renderSource(source, config?.member))}
        </select>
      </label>
      <label class="field">
        ${messages.controlTitle}
        <input name="title" maxlength="255" dir="auto" autocomplete="off" .value=${String(config?.title ?? '')} />
      </label>`;
  }

  #renderSource({ title, members }: MemberSource, selected: unknown): TemplateResult {
    const fitting = members.filter(member => this.#isFitting(member));
    return html`<optgroup label=${title} ?hidden=${fitting.length === 0}>
      ${fitting.map(
        ({ name, title: label }) => html`<option value=${name} ?selected=${name === selected}>${label}</option>`,
      )}
    </optgroup>`;
  }

  #isFitting({ kind }: Member): boolean {
    return kind === 'time' || (kind === 'dimension' && this.kind === 'FILTER');
  }

  readonly #handleKind = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    this.kind = controlKinds.find(kind => kind === target.value) ?? 'FILTER';
  };

  readonly #handleSubmit = ({ target }: SubmitEvent): void => {
    if (!(target instanceof HTMLFormElement)) return;
    const form = new FormData(target);
    const member = String(form.get('member') ?? '');
    if (member) this.onSave({ type: this.kind, member, title: String(form.get('title') ?? '').trim() });
  };

  readonly #handleClose = (): void => this.renderRoot.querySelector('dialog')?.close();
}

register('pa-control-dialog', PaControlDialog);

declare global {
  interface HTMLElementTagNameMap {
    'pa-control-dialog': PaControlDialog;
  }
}
