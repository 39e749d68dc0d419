import { css } from 'lit';

/** Styles of the bar of controls, and of the sheet. */
export const controlsStyles = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  .ruler {
    block-size: 0;
  }
  .bar {
    --_chip-reserve: clamp(24px, 5cqi, 72px);
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .narrow,
  .alone {
    flex-wrap: nowrap;
  }
  .alone > .tail {
    flex-direction: row-reverse;
  }
  .alone .marks {
    justify-content: end;
  }
  pa-control,
  pa-filter {
    min-inline-size: 0;
    max-inline-size: min(100%, 280px);
  }
  /* Fixed size, so that mark chips and "Reset" never add another row. */
  .tail {
    display: flex;
    flex: 1 1 auto;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
  }
  .marks {
    display: flex;
    flex: 1 1 0;
    gap: 8px;
    contain: inline-size;
    min-inline-size: 96px;
  }
  pa-mark-chip {
    flex: 0 1 auto;
    max-inline-size: 360px;
  }
  [part='reset'] {
    flex: none;
    min-block-size: 34px;
    border-color: transparent;
    background: none;
    color: var(--_accent);
  }
  .idle {
    visibility: hidden;
  }
  [part='sheet-button'] {
    flex: none;
    min-block-size: 34px;
    border-radius: var(--_chip-radius);
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
    max-block-size: 85dvh;
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
  dialog:focus-visible {
    outline: 0;
  }
  .sheet {
    display: flex;
    flex-direction: column;
    max-block-size: 85vh;
    max-block-size: 85dvh;
  }
  .sheet > h2 {
    flex: none;
    margin: 0;
    padding: 16px 16px 0;
    font: 600 16px/24px var(--_font);
  }
  .stack {
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-block-size: 0;
    padding: 16px;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .stack > * {
    flex: none;
    max-inline-size: 100%;
  }
  .foot {
    display: flex;
    flex: none;
    justify-content: space-between;
    gap: 8px;
    padding: 12px 16px max(12px, env(safe-area-inset-bottom));
    border-block-start: 1px solid var(--_line);
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
