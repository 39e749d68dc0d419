import { css } from 'lit';

/** Styles of the bar of controls, and of the sheet. */
export const controlsStyles = css`
  :host {
    display: block;
  }
  .ruler {
    block-size: 0;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  pa-control,
  pa-filter {
    min-inline-size: 0;
    max-inline-size: min(100%, 360px);
  }
  [part='reset'] {
    min-block-size: 34px;
    border-color: transparent;
    background: none;
    color: var(--_accent);
  }
  [part='sheet-button'] {
    min-block-size: 34px;
    border-radius: 999px;
  }
  @media (pointer: coarse) {
    [part='reset'],
    [part='sheet-button'] {
      min-block-size: 44px;
    }
  }
  dialog {
    box-sizing: border-box;
    inline-size: 100%;
    max-inline-size: 100%;
    max-block-size: 85vh;
    margin-block: auto 0;
    margin-inline: auto;
    padding: 0;
    border: 1px solid var(--_line);
    border-block-end: 0;
    border-start-start-radius: var(--_radius);
    border-start-end-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  .sheet {
    display: flex;
    flex-direction: column;
    gap: 16px;
    padding: 16px;
  }
  .stack {
    display: flex;
    flex-direction: column;
    gap: 12px;
  }
  .stack > * {
    max-inline-size: 100%;
  }
  .foot {
    display: flex;
    justify-content: end;
    gap: 8px;
  }
  .done {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#fff, #0b1020));
  }
  .done:hover {
    background: color-mix(in srgb, var(--_accent) 85%, var(--_text));
  }
`;
