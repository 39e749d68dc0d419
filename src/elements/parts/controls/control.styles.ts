import { css } from 'lit';

/** Styles of a control that is a native list: the list covers its chip and is invisible, the chip shows the sentence. */
export const controlStyles = css`
  [part='control']:has(select:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  /* The longest option sets the width. */
  .listed::before {
    max-inline-size: 240px;
    padding-inline-end: 0;
  }
  select {
    position: absolute;
    inset: 0;
    box-sizing: border-box;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    padding: 0 12px;
    border: 0;
    border-radius: inherit;
    appearance: none;
    opacity: 0;
    font: 400 13px/1.5 var(--_font);
    cursor: pointer;
  }
  option {
    background: var(--_surface);
    color: var(--_text);
  }
`;
