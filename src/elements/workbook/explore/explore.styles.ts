import { css } from 'lit';

/** Styles of the part of the editor in which charts are created. */
export const exploreStyles = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: end;
    margin-block-end: 12px;
  }
  .bar button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .title {
    display: flex;
    flex: 1 1 240px;
    flex-direction: column;
    gap: 2px;
    color: var(--_muted);
    font-size: 12px;
  }
  .title input {
    font-weight: 600;
    font-size: 14px;
  }
  .explore {
    display: grid;
    grid-template-columns: minmax(220px, 280px) minmax(0, 1fr);
    gap: 16px;
    align-items: start;
  }
  aside,
  .form,
  .result {
    box-sizing: border-box;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  aside {
    display: flex;
    flex-direction: column;
    position: sticky;
    inset-block-start: 8px;
    max-block-size: min(760px, calc(100vh - 16px));
    padding: 12px 12px 8px;
  }
  pa-member-picker {
    flex: 1;
    min-block-size: 0;
  }
  .work {
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-inline-size: 0;
  }
  .form {
    display: flex;
    flex-direction: column;
    gap: 10px;
    padding: 12px;
  }
  .selection,
  .chips,
  .fields {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .selection li {
    display: inline-flex;
    align-items: center;
    padding-inline-start: 10px;
    border-radius: 6px;
    background: color-mix(in srgb, var(--_text) 7%, transparent);
    font-size: 13px;
  }
  .selection .measure {
    background: color-mix(in srgb, var(--_accent) 16%, transparent);
  }
  .selection button,
  .text-button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    inline-size: 28px;
    min-block-size: 28px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .grain {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    color: var(--_muted);
    font-size: 13px;
  }
  .filter {
    display: inline-flex;
    align-items: center;
    max-inline-size: 100%;
  }
  .fields .field {
    flex-direction: row;
    align-items: center;
    gap: 6px;
    font-size: 13px;
  }
  .fields select {
    max-inline-size: 240px;
  }
  .limit input {
    inline-size: 88px;
    font-variant-numeric: tabular-nums;
  }
  .hint,
  .warning {
    margin: 0;
    color: var(--_muted);
    font-size: 12px;
  }
  .warning {
    color: var(--_warn);
    font-size: 13px;
  }
  .looks {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  .segments {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    padding: 2px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--_text) 7%, transparent);
  }
  .segments button {
    min-block-size: 28px;
    padding-inline: 10px;
    border-color: transparent;
    background: none;
  }
  .segments button[aria-pressed='true'] {
    border-color: var(--_line);
    background: var(--_surface);
  }
  @media (forced-colors: active) {
    .segments button[aria-pressed='true'] {
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
    .selection li {
      gap: 4px;
      border: 1px solid ButtonBorder;
    }
  }
  @media (pointer: coarse) {
    .segments button {
      min-block-size: 40px;
    }
  }
  .looks .hint {
    margin-inline-start: auto;
  }
  .option-button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .option-button[aria-expanded='true'] {
    border-color: var(--_accent);
  }
  .options {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(168px, 1fr));
    gap: 12px;
    align-items: end;
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .options .field > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .check {
    display: flex;
    gap: 8px;
    align-items: center;
    min-block-size: 32px;
    font-size: 13px;
  }
  .check input {
    flex: none;
    inline-size: 16px;
    min-block-size: 0;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .result {
    display: flex;
    flex-direction: column;
    block-size: 420px;
    overflow: hidden;
  }
  .result > .skeleton,
  .result > .notice {
    padding: 24px;
  }
  .result pa-tile {
    flex: 1;
    min-block-size: 0;
  }
  .result pa-tile::part(tile) {
    border: 0;
  }
  .stale {
    opacity: 0.9;
  }
  @container (inline-size < 720px) {
    .explore {
      grid-template-columns: minmax(0, 1fr);
    }
    aside {
      position: static;
      max-block-size: 320px;
    }
    .result {
      block-size: 360px;
    }
  }
`;
