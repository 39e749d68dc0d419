import { css } from 'lit';

/** Styles of the filter panel. */
export const filterPanelStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 8px;
    inline-size: 296px;
    max-inline-size: 100%;
    min-block-size: 0;
  }
  /* Fits the relative dates and the months. */
  :host([dates]) {
    inline-size: auto;
  }
  /* The padding leaves space for the focus rings of the inputs. */
  :host([dates]) .values {
    margin: -4px;
    padding: 4px;
    overflow: auto;
  }
  pa-date-editor:not(:defined) {
    block-size: 300px;
  }
  @media (width < 600px) {
    :host {
      inline-size: auto;
    }
  }
  .head {
    display: flex;
    flex: none;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    min-block-size: 28px;
  }
  .name {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-weight: 600;
  }
  .operator {
    flex: none;
    max-inline-size: 60%;
  }
  .quiet {
    field-sizing: content;
    box-sizing: border-box;
    max-inline-size: 100%;
    min-block-size: 28px;
    padding-inline: 4px;
    border: 1px solid transparent;
    border-radius: var(--_control-radius);
    background: none;
    color: var(--_accent);
    font: 500 13px/1.5 var(--_font);
    cursor: pointer;
  }
  .quiet:hover {
    background: color-mix(in srgb, var(--_text) 6%, var(--_surface));
  }
  .quiet option {
    background: var(--_surface);
    color: var(--_text);
    font-weight: 400;
  }
  .values {
    display: flex;
    flex: 1 1 auto;
    flex-direction: column;
    gap: 8px;
    min-block-size: 0;
  }
  .field {
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 32px;
    padding: 4px 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 13px/1.5 var(--_font);
  }
  .field::placeholder {
    color: var(--_muted);
  }
  textarea {
    resize: vertical;
  }
  .entry {
    display: flex;
    flex-direction: column;
    gap: 4px;
    min-inline-size: 0;
    color: var(--_muted);
    font-size: 12px;
  }
  .range {
    display: flex;
    gap: 8px;
  }
  .range > .entry {
    flex: 1;
  }
  .list {
    display: flex;
    flex: 1 1 auto;
    flex-direction: column;
    min-block-size: 0;
    min-inline-size: 0;
    max-block-size: 280px;
    margin: 0;
    padding: 2px;
    border: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .item {
    display: flex;
    flex: none;
    align-items: center;
    gap: 8px;
    min-block-size: 28px;
    padding-inline: 4px;
    border-radius: 4px;
    cursor: pointer;
  }
  .item:hover {
    background: color-mix(in srgb, var(--_text) 6%, var(--_surface));
  }
  .item input {
    flex: none;
    margin: 0;
    accent-color: var(--_accent);
  }
  /* Values with another text direction align with the others. */
  .text {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .bulk {
    display: flex;
    flex: none;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    color: var(--_muted);
    font-size: 12px;
  }
  .count {
    color: var(--_muted);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  .plain {
    min-block-size: 28px;
    margin-inline-start: -4px;
    padding: 0 4px;
    border-color: transparent;
    background: none;
    color: var(--_accent);
  }
  .note {
    margin: 0;
    color: var(--_muted);
    font-size: 12px;
  }
  .note:empty {
    display: none;
  }
  .foot {
    display: flex;
    flex: none;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    margin-inline: calc(-1 * var(--_panel-padding));
    padding: 8px var(--_panel-padding) 0;
    border-block-start: 1px solid var(--_line);
  }
  button:disabled {
    color: var(--_muted);
    opacity: 0.7;
    cursor: default;
  }
  button.plain:disabled {
    background: none;
  }
  @media (pointer: coarse) {
    .item,
    .field,
    .quiet,
    .plain {
      min-block-size: 44px;
    }
    /* iOS zooms the page when a field with a smaller font is focused. */
    .field {
      font-size: 16px;
    }
  }
`;
