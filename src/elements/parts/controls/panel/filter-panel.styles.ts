import { css } from 'lit';

/** Styles of the inside of a filter. */
export const filterPanelStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 8px;
    min-block-size: 0;
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
  .text {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .count {
    color: var(--_muted);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  .plain {
    align-self: start;
    min-block-size: 28px;
    padding: 0 4px;
    border: 0;
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
    justify-content: end;
    gap: 8px;
  }
  button:disabled {
    border-color: var(--_line);
    color: var(--_muted);
    cursor: default;
  }
  @media (pointer: coarse) {
    .item,
    .field {
      min-block-size: 44px;
    }
  }
`;
