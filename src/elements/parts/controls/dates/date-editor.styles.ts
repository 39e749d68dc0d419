import { css } from 'lit';

/** Styles of the date editor: relative dates next to the calendar, or above it on phones. */
export const dateEditorStyles = css`
  :host {
    display: flex;
    gap: 16px;
    min-block-size: 0;
    font: 400 13px/1.5 var(--_font);
  }
  .phrases {
    display: flex;
    flex: none;
    flex-direction: column;
    min-inline-size: 140px;
    max-block-size: 392px;
    margin: 0;
    padding: 0;
    padding-inline-end: 12px;
    border: 0;
    border-inline-end: 1px solid var(--_line);
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .phrases:only-child {
    flex: 1;
  }
  .phrase {
    position: relative;
    flex: none;
    cursor: pointer;
  }
  .phrase > span {
    display: block;
    padding: 3px 8px;
    border-radius: var(--_control-radius);
    white-space: nowrap;
  }
  .phrase > span::first-letter {
    text-transform: uppercase;
  }
  .phrase:hover > span {
    background: color-mix(in srgb, var(--_text) 6%, var(--_surface));
  }
  .phrase > :checked + span {
    background: color-mix(in srgb, var(--_accent) 14%, var(--_surface));
    font-weight: 600;
  }
  .phrase > :focus-visible + span {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .days {
    min-inline-size: 0;
  }
  .entries {
    display: flex;
    gap: 8px;
  }
  .entry {
    display: flex;
    flex: 1 1 0;
    flex-direction: column;
    gap: 4px;
    min-inline-size: 0;
    color: var(--_muted);
    font-size: 12px;
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
    font-variant-numeric: tabular-nums;
    text-align: start;
  }
  .field::placeholder {
    color: var(--_muted);
  }
  .field[aria-invalid] {
    border-color: var(--_danger);
  }
  .problem {
    margin: 4px 0 8px;
    color: var(--_danger);
    font-size: 12px;
  }
  .problem:empty {
    margin: 0 0 12px;
  }
  @media (width < 600px) {
    :host {
      flex-direction: column;
      gap: 12px;
    }
    .phrases {
      flex-direction: row;
      gap: 8px;
      padding: 2px;
      border: 0;
      overflow: auto hidden;
      scrollbar-width: none;
      mask-image: linear-gradient(to right, #000 calc(100% - 32px), transparent);
    }
    .phrases:dir(rtl) {
      mask-image: linear-gradient(to left, #000 calc(100% - 32px), transparent);
    }
    .phrase > span {
      padding: 5px 12px;
      border: 1px solid var(--_control);
      border-radius: 999px;
    }
    .phrase > :checked + span {
      border-color: var(--_accent);
    }
  }
  @media (pointer: coarse) {
    .phrase > span {
      padding-block: 11px;
    }
    .field {
      min-block-size: 44px;
      font-size: 16px;
    }
  }
  @media (forced-colors: active) {
    .phrase > :checked + span {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
