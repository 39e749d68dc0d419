import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Dashboard, DashboardWidget } from '../../../contract/dashboards.js';
import type { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import { type Problem, toProblem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { ControlState } from '../../../report/controls/control-state.js';
import {
  addContainer,
  type ContainerContent,
  changeContainer,
  containerContent,
  containerTiles,
} from '../../../report/layout/edit-containers.js';
import { addControl, changeControl, type NewControl } from '../../../report/layout/edit-controls.js';
import { changeBoardSettings } from '../../../report/layout/edit-settings.js';
import { widgetMarkdown } from '../../../report/layout/tile-title.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';
import { putText } from './chart-tile.js';
import { differenceStyles } from './difference.styles.js';
import { editorStyles } from './editor.styles.js';
import { renderPublishDialog, renderTextDialog } from './editor-dialogs.js';
import { chosenSettings, renderSettingsDialog } from './settings-dialog.js';
import { tileName } from './tile-name.js';

/** A dialog of the editor. */
export interface EditorDialog {
  readonly kind: 'text' | 'control' | 'container' | 'publish' | 'settings' | 'versions';
  /** The widget to change; not set for a new one. */
  readonly widgetId?: string;
}

/** Loads the element inside a dialog. */
export async function loadPart(kind: EditorDialog['kind']): Promise<void> {
  if (kind === 'control') await import('../controls/control-dialog-element.js');
  if (kind === 'container') await import('../containers/container-dialog-element.js');
  if (kind === 'versions') await import('../versions/versions-element.js');
}

/**
 * A dialog of the editor, and the change of the draft that it makes.
 *
 * @summary A dialog of the editor.
 * @tagname pa-editor-dialog
 */
class PaEditorDialog extends LitElement {
  static override styles = [controls, dialogStyles, editorStyles, differenceStyles];

  @property({ attribute: false }) dialog: EditorDialog = { kind: 'text' };
  @property({ attribute: false }) workbook: WorkbookController | null = null;
  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  @property({ attribute: false }) locale = 'en';
  /** Whether downloading and copying rows is disabled. */
  @property({ attribute: false }) restricted = true;
  /** The controls of the draft with the values that the user has chosen. */
  @property({ attribute: false }) states: readonly ControlState[] = [];
  /** Called with an announcement when something was done that the board does not show. */
  @property({ attribute: false }) onDone: (announcement: string) => void = () => {};
  @property({ attribute: false }) onPublish: (dashboard: Dashboard) => void = () => {};
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};
  @property({ attribute: false }) onClose: () => void = () => {};

  protected override updated(_: PropertyValues<this>): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  override render(): TemplateResult | typeof nothing {
    const { workbook, source, messages, onClose } = this;
    if (!workbook) return nothing;
    switch (this.dialog.kind) {
      case 'text': {
        const { widgetId = null } = this.dialog;
        const markdown = this.#widget ? widgetMarkdown(this.#widget.config) : messages.textSample;
        return renderTextDialog({ widgetId, markdown }, messages, { onSubmit: this.#handleText, onClose });
      }
      case 'publish': {
        const canShare = this.#canShare;
        return renderPublishDialog(workbook, messages, {
          onSubmit: event => void this.#handlePublish(event),
          onClose,
          canShare,
        });
      }
      case 'settings':
        return renderSettingsDialog(workbook.config, messages, { onSubmit: this.#handleSettings, onClose });
      case 'container':
        return this.#renderContainer(workbook);
      case 'control':
        return html`<pa-control-dialog
          .source=${source}
          .messages=${messages}
          .widget=${this.#widget}
          .states=${this.states}
          .onSave=${this.#handleControl}
          .onClose=${onClose}
        ></pa-control-dialog>`;
      case 'versions':
        return html`<pa-versions
          .workbook=${workbook}
          .source=${source}
          .messages=${messages}
          .locale=${this.locale}
          .restricted=${this.restricted}
          .onRestored=${(versionNumber: number) => this.onDone(messages.restored(versionNumber))}
          .onClose=${onClose}
          .onProblem=${this.onProblem}
        ></pa-versions>`;
    }
  }

  #renderContainer({ config, reports }: WorkbookController): TemplateResult {
    const { messages } = this;
    const container = this.#widget;
    return html`<pa-container-dialog
      .messages=${messages}
      .content=${container && containerContent(container)}
      .tiles=${containerTiles(config, container, widget => tileName(widget, reports, messages))}
      .onSave=${this.#handleContainer}
      .onClose=${this.onClose}
    ></pa-container-dialog>`;
  }

  /** The widget to change; `null` for a new one. */
  get #widget(): DashboardWidget | null {
    const { widgetId } = this.dialog;
    return this.workbook?.config.widgets?.find(({ id }) => id === widgetId) ?? null;
  }

  /** Whether the session may change who sees the dashboard. */
  get #canShare(): boolean {
    return this.source?.settings?.showWorkbookShare !== false;
  }

  readonly #handleText = ({ target }: SubmitEvent): void => {
    const { workbook } = this;
    if (!(target instanceof HTMLFormElement) || !workbook) return;
    const markdown = String(new FormData(target).get('markdown')).trim();
    workbook.change(putText(workbook.config, this.dialog.widgetId ?? null, markdown));
  };

  readonly #handleSettings = ({ target }: SubmitEvent): void => {
    const { workbook } = this;
    if (!(target instanceof HTMLFormElement) || !workbook) return;
    workbook.change(changeBoardSettings(workbook.config, chosenSettings(target)));
  };

  readonly #handleControl = (control: NewControl): void => {
    const { workbook } = this;
    const { widgetId } = this.dialog;
    if (!workbook) return;
    const { config } = workbook;
    workbook.change(widgetId ? changeControl(config, widgetId, control) : addControl(config, control));
  };

  readonly #handleContainer = (content: ContainerContent): void => {
    const { workbook } = this;
    const { widgetId } = this.dialog;
    if (!workbook) return;
    const { config } = workbook;
    workbook.change(widgetId ? changeContainer(config, widgetId, content) : addContainer(config, content).config);
  };

  readonly #handlePublish = async ({ target }: SubmitEvent): Promise<void> => {
    const { workbook, messages } = this;
    if (!(target instanceof HTMLFormElement) || !workbook) return;
    const isChosen = new FormData(target).get('shared') === 'on';
    const isShared = this.#canShare ? isChosen : workbook.isShared;
    // Clear the text first, because screen readers do not read an equal text again.
    this.onDone('');
    try {
      const published = await workbook.publish({ isShared });
      if (!published) return;
      this.onDone(messages.publishedNow);
      this.onPublish(published);
    } catch (error) {
      this.onProblem(toProblem(error));
    }
  };
}

register('pa-editor-dialog', PaEditorDialog);

declare global {
  interface HTMLElementTagNameMap {
    'pa-editor-dialog': PaEditorDialog;
  }
}
