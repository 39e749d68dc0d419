import { html, LitElement, type nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { FilterCondition } from '../../../contract/widget-config.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session-context.js';
import type { Choice, Control } from '../../../report/controls.js';
import type { ModelFacts } from '../../../report/model-facts.js';
import type { ControlState } from '../../../report/state.js';
import { catalog } from '../../messages/catalog.js';
import { controls } from '../tokens.styles.js';
import { controlsStyles } from './controls.styles.js';

/** What the bar asks of whoever keeps what is chosen. */
export interface Chooser {
  choose(control: Control, value: FilterCondition | string | null): boolean;
  reset(): boolean;
  /** Somebody needs to know what the model says of members. */
  wantModel(): void;
}

/**
 * The controls of a dashboard.
 *
 * @summary The bar of controls, inside a dashboard.
 * @tagname pa-controls
 * @csspart controls - The bar.
 * @csspart control - A control: its name and what is chosen.
 */
export class PaControls extends LitElement {
  static override styles = [controls, controlsStyles];

  readonly #locale = new LocaleConsumer(this, catalog);

  /** All controls, with what is in force for each. */
  @property({ attribute: false }) controls: readonly ControlState[] = [];
  /** What is chosen for the whole dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** What the model says of members, where it is known. */
  @property({ attribute: false }) model: ModelFacts | null = null;
  /** There is something to reset. */
  @property({ type: Boolean }) touched = false;
  /** The session that values are loaded with. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Who keeps what is chosen. */
  @property({ attribute: false }) chooser: Chooser | null = null;

  override render(): TemplateResult | typeof nothing {
    const shown = this.controls.filter(({ control }) => control.visibility !== 'hidden');
    const { messages } = this.#locale.value;
    return html`<div class="bar" part="controls" role="group" aria-label=${messages.controls}>
      ${repeat(
        shown,
        ({ control }) => control.id,
        state => html`<pa-control
          exportparts="control"
          .state=${state}
          .choices=${this.choices}
          .model=${this.model}
          .source=${this.source}
          .chooser=${this.chooser}
        ></pa-control>`,
      )}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-controls': PaControls;
  }
}
