import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { DashboardWidget } from '../../../contract/dashboards.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { ControlState } from '../../../report/controls/control-state.js';
import { type Member, type MemberSource, readModel } from '../../../report/explore/members.js';
import {
  type ControlKind,
  type ControlPreset,
  controlKinds,
  controlPresets,
  fieldMembers,
  maxControlChoices,
  type NewControl,
} from '../../../report/layout/edit-controls.js';
import { humanizeName } from '../../../report/query/member-names.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';
import { controlDialogStyles } from './control-dialog.styles.js';

/**
 * The dialog that adds or changes a control of a dashboard: its kind, its title, and its fields or presets.
 *
 * @summary The dialog for a control in the editor.
 * @tagname pa-control-dialog
 */
class PaControlDialog extends LitElement {
  static override styles = [controls, noticeStyles, dialogStyles, controlDialogStyles];

  readonly #model = new LoadController<'model', readonly MemberSource[]>(this, {
    source: () => this.source,
    key: () => 'model',
    load: async (session, _key, signal) => readModel(await session.meta({ signal })),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  /** The control to change; `null` for a new one. */
  @property({ attribute: false }) widget: DashboardWidget | null = null;
  /** The controls of the draft with the values that the user has chosen, which become presets. */
  @property({ attribute: false }) states: readonly ControlState[] = [];
  @property({ attribute: false }) onSave: (control: NewControl) => void = () => {};
  @property({ attribute: false }) onClose: () => void = () => {};

  @state() private kind: ControlKind = 'FILTER';
  /** Name of the selected member; empty for the first that fits. */
  @state() private member = '';
  @state() private presets: readonly ControlPreset[] = [];
  /** Reason why the form cannot be submitted; empty if it can. */
  @state() private problem = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('widget') || !this.widget) return;
    const { type, config } = this.widget;
    this.kind = controlKinds.find(kind => kind === type) ?? 'FILTER';
    this.member = typeof config?.member === 'string' ? config.member : '';
    this.presets = controlPresets(this.widget);
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
        <p class="problem" role="alert">${this.problem}</p>
        <div class="buttons">
          <button type="button" @click=${this.#handleClose}>${messages.cancel}</button>
          <button type="submit" class="primary" ?disabled=${loading.status !== 'ready'}>${messages.save}</button>
        </div>
      </form>
    </dialog>`;
  }

  #renderFields(sources: readonly MemberSource[]): TemplateResult {
    const { messages, widget } = this;
    const isPreset = this.kind === 'PARENT';
    return html`<label class="field">
        ${messages.controlKind}
        <select name="kind" @change=${this.#handleKind}>
          ${controlKinds.map(
            kind => html`<option value=${kind} ?selected=${kind === this.kind}>${messages.controlKinds[kind]}</option>`,
          )}
        </select>
      </label>
      ${isPreset ? nothing : this.#renderMember(sources)}
      ${this.kind === 'FIELD' ? this.#renderAlternatives(sources) : nothing}
      <label class="field">
        ${isPreset ? messages.title : messages.controlTitle}
        <input
          name="title"
          maxlength="255"
          dir="auto"
          autocomplete="off"
          ?required=${isPreset}
          .value=${String(widget?.config?.title ?? '')}
        />
      </label>
      ${isPreset ? this.#renderPresets() : nothing}`;
  }

  #renderMember(sources: readonly MemberSource[]): TemplateResult {
    const { name: selected } = this.#selected(sources) ?? {};
    return html`<label class="field">
      ${this.messages.controlField}
      <select name="member" required @change=${this.#handleMember}>
        ${sources.map(({ title, members }) => {
          const fitting = members.filter(member => this.#isFitting(member));
          return html`<optgroup label=${title} ?hidden=${fitting.length === 0}>
            ${fitting.map(
              ({ name, title: label }) => html`<option value=${name} ?selected=${name === selected}>${label}</option>`,
            )}
          </optgroup>`;
        })}
      </select>
    </label>`;
  }

  /** Renders the members that can replace the selected one: those of the same kind in the same view. */
  #renderAlternatives(sources: readonly MemberSource[]): TemplateResult {
    const { messages, widget } = this;
    const selected = this.#selected(sources);
    const source = sources.find(({ members }) => members.some(member => member === selected));
    const others = source?.members.filter(each => each !== selected && each.kind === selected?.kind) ?? [];
    const before = new Set(widget?.type === 'FIELD' ? fieldMembers(widget) : []);
    return html`<fieldset class="field">
      <legend>${messages.controlFields}</legend>
      <div class="choices">
        ${repeat(
          others,
          ({ name }) => name,
          ({ name, title }) => html`<label>
            <input type="checkbox" name="members" value=${name} .checked=${before.has(name)} />
            <span dir="auto">${title}</span>
          </label>`,
        )}
      </div>
    </fieldset>`;
  }

  #renderPresets(): TemplateResult {
    const { messages, presets } = this;
    return html`<fieldset class="field">
      <legend>${messages.presets}</legend>
      <p class="hint">${messages.presetsHint}</p>
      <ul class="presets">
        ${presets.map(
          ({ id, title, controls: values }) => html`<li>
            <span><strong dir="auto">${title}</strong> ${messages.presetSets(this.#titlesOf(values))}</span>
            <button
              type="button"
              aria-label=${messages.removeControl(title)}
              title=${messages.removeControl(title)}
              @click=${() => this.#removePreset(id)}
            >
              ${icon('cross')}
            </button>
          </li>`,
        )}
      </ul>
      <div class="adding">
        <input
          class="preset"
          maxlength="255"
          dir="auto"
          autocomplete="off"
          aria-label=${messages.presetName}
          placeholder=${messages.presetName}
          @keydown=${this.#handlePresetKey}
        />
        <button type="button" class="add" ?disabled=${this.#chosen.length === 0} @click=${this.#handleAddPreset}>
          ${icon('plus')} ${messages.addPreset}
        </button>
      </div>
    </fieldset>`;
  }

  /** The controls that have a value. */
  get #chosen(): readonly ControlState[] {
    return this.states.filter(
      ({ kind, value, control }) => kind !== 'parent' && value !== null && control.id !== this.widget?.id,
    );
  }

  #titlesOf(values: ControlPreset['controls']): string {
    return Object.keys(values)
      .map(id => this.states.find(({ control }) => control.id === id)?.control.title ?? id)
      .join(', ');
  }

  #selected(sources: readonly MemberSource[]): Member | undefined {
    const fitting = sources.flatMap(({ members }) => members).filter(member => this.#isFitting(member));
    return fitting.find(({ name }) => name === this.member) ?? fitting[0];
  }

  #isFitting({ kind }: Member): boolean {
    if (this.kind === 'FIELD') return kind !== 'segment';
    return kind === 'time' || (kind === 'dimension' && this.kind === 'FILTER');
  }

  #removePreset(id: string): void {
    this.presets = this.presets.filter(each => each.id !== id);
    this.renderRoot.querySelector<HTMLElement>('.preset')?.focus();
  }

  readonly #handlePresetKey = (event: KeyboardEvent): void => {
    // An input method confirms its text with Enter.
    if (event.key !== 'Enter' || event.isComposing) return;
    // Otherwise, Enter submits the form.
    event.preventDefault();
    this.#handleAddPreset();
  };

  readonly #handleAddPreset = (): void => {
    const field = this.renderRoot.querySelector<HTMLInputElement>('.preset');
    const title = field?.value.trim() ?? '';
    if (this.presets.length >= maxControlChoices) this.problem = this.messages.choicesMax(maxControlChoices);
    if (!field || !title || this.#chosen.length === 0 || this.presets.length >= maxControlChoices) {
      field?.focus();
      return;
    }
    const ids = new Set(this.presets.map(({ id }) => id));
    let number = ids.size + 1;
    while (ids.has(`option-${number}`)) number += 1;
    const values = Object.fromEntries(this.#chosen.map(({ control, value }) => [control.id, value]));
    this.presets = [...this.presets, { id: `option-${number}`, title, controls: values }];
    this.problem = '';
    field.value = '';
    field.focus();
  };

  readonly #handleKind = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    this.kind = controlKinds.find(kind => kind === target.value) ?? 'FILTER';
    this.problem = '';
  };

  readonly #handleMember = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) this.member = target.value;
  };

  readonly #handleSubmit = (event: SubmitEvent): void => {
    if (!(event.target instanceof HTMLFormElement)) return;
    const control = this.#read(new FormData(event.target));
    if (control) this.onSave(control);
    // The dialog stays open.
    else event.preventDefault();
  };

  /** Reads the form; `null` if it is incomplete. */
  #read(form: FormData): NewControl | null {
    const { kind, messages } = this;
    const title = String(form.get('title') ?? '').trim();
    const member = String(form.get('member') ?? '');
    if (kind === 'PARENT') {
      this.problem = this.presets.length === 0 ? messages.presetsMissing : '';
      return this.problem ? null : { type: kind, title, options: this.presets };
    }
    if (!member) return null;
    const name = this.#titleFor(member, title);
    if (kind !== 'FIELD') return { type: kind, title: name, member };
    const members = this.#withHidden(form.getAll('members').map(String), member);
    this.problem = members.length === 0 ? messages.controlFieldsMissing : '';
    if (members.length > maxControlChoices) this.problem = messages.choicesMax(maxControlChoices);
    return this.problem ? null : { type: kind, title: name, member, members };
  }

  /**
   * Returns the title of a control: from the form, or else from its field in the model. Returns an empty title if it
   * equals the name of the field, and replaces the title of a previous field.
   */
  #titleFor(member: string, given: string): string {
    const { member: former } = this.widget?.config ?? {};
    const isFormer = former !== member && given === this.#modelTitle(String(former));
    if (given && !isFormer) return given;
    const title = this.#modelTitle(member);
    return title === humanizeName(member.slice(member.indexOf('.') + 1)) ? '' : title;
  }

  #modelTitle(member: string): string {
    const sources = loadedValue(this.#model.state) ?? [];
    return sources.flatMap(({ members }) => members).find(({ name }) => name === member)?.title ?? '';
  }

  /**
   * Adds the fields of the control that the form does not show, such as those of another view, unless the control gets
   * another field.
   */
  #withHidden(chosen: readonly string[], member: string): readonly string[] {
    const { widget } = this;
    if (widget?.type !== 'FIELD' || widget.config?.member !== member) return chosen;
    const boxes = this.renderRoot.querySelectorAll<HTMLInputElement>('input[name="members"]');
    const shown = new Set([...boxes].map(({ value }) => value));
    const before = fieldMembers(widget);
    const kept = before.filter(name => chosen.includes(name) || !shown.has(name));
    return [...kept, ...chosen.filter(name => !kept.includes(name))];
  }

  readonly #handleClose = (): void => this.renderRoot.querySelector('dialog')?.close();
}

register('pa-control-dialog', PaControlDialog);

declare global {
  interface HTMLElementTagNameMap {
    'pa-control-dialog': PaControlDialog;
  }
}
