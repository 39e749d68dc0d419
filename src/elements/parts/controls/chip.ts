import { html, type TemplateResult } from 'lit';
import type { ControlState } from '../../../report/controls/control-state.js';

/**
 * Returns the CSS classes of a control's chip: whether a value applies, whether the viewer chose it, and whether the
 * chip is fixed.
 */
export function chipClass({ by, fixed }: ControlState, { isFilled }: { readonly isFilled: boolean }): string {
  return [isFilled && 'filled', isFilled && by === 'viewer' && 'chosen', fixed && 'fixed'].filter(Boolean).join(' ');
}

/** Renders the text of a chip, cut with an ellipsis when it is longer than the chip; the tooltip shows all of it. */
export function chipText(sentence: string): TemplateResult {
  return html`<span class="text" title=${sentence}>${sentence}</span>`;
}

/**
 * Renders the chip of a control that the viewer cannot change. It takes the keyboard focus so that its description is
 * announced.
 * @param sizerText - the text that sets the width of the chip.
 */
export function fixedChip(sentence: string, sizerText: string, state: ControlState, remark: string): TemplateResult {
  return html`<button
      id="chip"
      part="control"
      type="button"
      class=${chipClass(state, { isFilled: true })}
      data-sizer=${sizerText}
      aria-disabled="true"
      aria-describedby="remark"
      title=${remark}
    >
      ${chipText(sentence)}
      <svg viewBox="0 0 24 24" width="14" height="14" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
        <rect x="4" y="11" width="16" height="10" rx="2" />
        <path d="M8 11V7a4 4 0 0 1 8 0v4" />
      </svg>
    </button>
    <span id="remark" hidden>${remark}</span>`;
}
