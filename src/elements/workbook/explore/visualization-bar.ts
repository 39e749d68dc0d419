import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../creator/creator-icons.js';
import type { ChosenVisualization } from './chart-preview.js';
import type { ExploreMessages } from './explore-messages.js';

/** State and callbacks of the bar above a result. */
export interface VisualizationBar {
  /** Looks that can show the result. */
  readonly visualizations: readonly ChosenVisualization[];
  readonly chosen: ChosenVisualization;
  /** Whether the user has written the chart as text. */
  readonly isWritten: boolean;
  /** Whether the settings of the visualization are shown. */
  readonly hasOptions: boolean;
  /** Whether the chart can be edited as text. */
  readonly canWrite: boolean;
  readonly isRunning: boolean;
  /** Number of rows. */
  readonly count: number;
  /** Whether the result may have more rows. */
  readonly isCut: boolean;
  readonly messages: ExploreMessages;
  readonly onChoose: (look: ChosenVisualization) => void;
  readonly onOptions: () => void;
  readonly onWrite: () => void;
}

/** Renders the choice of the visualization of a result, the buttons that change it, and the number of rows. */
export function renderVisualizations(bar: VisualizationBar): TemplateResult {
  const { visualizations, chosen, count, messages, onChoose } = bar;
  const { explore, options } = messages;
  const own = bar.isWritten ? explore.customLook : explore.ownLook;
  const rows = bar.isCut ? explore.firstRows(count) : explore.rows(count);
  return html`<div class="looks">
    <div class="segments" role="group" aria-label=${explore.look}>
      ${visualizations.map(
        look => html`<button
          type="button"
          data-look=${look}
          aria-pressed=${look === chosen ? 'true' : 'false'}
          @click=${() => onChoose(look)}
        >
          ${look === 'own' ? own : explore.looks[look]}
        </button>`,
      )}
    </div>
    <button
      type="button"
      class="option-button"
      data-tool="options"
      aria-expanded=${bar.hasOptions ? 'true' : 'false'}
      @click=${bar.onOptions}
    >
      ${icon('sliders')} ${options.show}
    </button>
    ${
      bar.canWrite
        ? html`<button type="button" class="option-button" data-tool="text" @click=${bar.onWrite}>
            ${icon('code')} ${options.spec}
          </button>`
        : nothing
    }
    <span class="hint" role="status">${bar.isRunning ? explore.running : rows}</span>
  </div>`;
}
