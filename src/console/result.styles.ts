import { css } from 'lit';

/** Styles of the result. */
export const resultStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
    margin-block-end: 12px;
    border-block-end: 1px solid var(--_line);
  }
  .tabs {
    display: flex;
    min-inline-size: 0;
    overflow-x: auto;
  }
  [role='tab'] {
    min-block-size: 40px;
    margin-block-end: -1px;
    border: 0;
    border-block-end: 2px solid transparent;
    border-radius: 0;
    background: none;
    color: var(--_muted);
  }
  [role='tab']:hover:not(:disabled) {
    color: var(--_text);
  }
  [role='tab'][aria-selected='true'] {
    border-color: var(--_accent);
    color: var(--_text);
  }
  [role='tab']:disabled {
    opacity: 0.5;
    cursor: default;
  }
  [role='tab']:focus-visible {
    outline-offset: -2px;
  }
  .facts {
    margin-inline-start: auto;
    color: var(--_muted);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .empty {
    padding: 48px 16px;
    color: var(--_muted);
    text-align: center;
  }
  .code {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    overflow: hidden;
  }
  .explanation {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    padding: 8px 8px 8px 16px;
    border-block-end: 1px solid var(--_line);
  }
  #copy {
    flex: none;
    min-inline-size: 72px;
  }
  pre {
    max-block-size: 560px;
    margin: 0;
    padding: 12px 16px;
    overflow: auto;
    tab-size: 2;
  }
  pre.sql {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  pre:focus-visible {
    outline-offset: -2px;
  }
  @media (width < 600px) {
    pre {
      padding: 12px;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  }
`;
