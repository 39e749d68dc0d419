import { css } from 'lit';

/** Styles of a control: one chip that reads as a sentence. */
export const controlStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  label {
    display: flex;
    align-items: center;
    box-sizing: border-box;
    block-size: 100%;
    padding-inline-start: 12px;
    border: 1px solid var(--_control);
    border-radius: 999px;
    background: var(--_surface);
  }
  label:has(select:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  span {
    flex: 0 1 auto;
    overflow: hidden;
    color: var(--_muted);
    font: 400 13px/1.5 var(--_font);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  select {
    flex: 1 1 0;
    min-inline-size: 72px;
    block-size: 100%;
    margin-inline-end: 8px;
    border: 0;
    outline: 0;
    background: none;
    color: var(--_text);
    font: 500 13px/1.5 var(--_font);
    text-overflow: ellipsis;
    cursor: pointer;
  }
  option {
    background: var(--_surface);
    color: var(--_text);
  }
`;
