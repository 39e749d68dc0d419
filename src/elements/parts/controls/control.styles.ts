import { css } from 'lit';

/** Styles of a control that is a list: a chip that reads as a sentence. */
export const controlStyles = css`
  label:has(select:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  label > span {
    flex: 0 1 auto;
    color: var(--_muted);
    font-weight: 400;
  }
  [part='control'] {
    position: relative;
    padding-inline-end: 0;
  }
  /* Above the list, which fills the chip. */
  label::after {
    position: absolute;
    inset-inline-end: 12px;
    pointer-events: none;
  }
  select {
    flex: 1 1 auto;
    field-sizing: content;
    min-inline-size: 54px;
    block-size: 100%;
    padding: 0;
    padding-inline-end: 26px;
    border: 0;
    border-radius: inherit;
    appearance: none;
    outline: 0;
    background: none;
    color: var(--_text);
    font: 500 13px/1.5 var(--_font);
    text-overflow: ellipsis;
    cursor: pointer;
  }
  select:disabled {
    padding-inline-end: 12px;
    opacity: 1;
    color: var(--_muted);
    cursor: default;
  }
  option {
    background: var(--_surface);
    color: var(--_text);
  }
`;
