import { css } from 'lit';

/** Styles of the transcript. */
export const transcriptStyles = css`
  :host {
    display: flex;
    position: relative;
    flex-direction: column;
    min-inline-size: 0;
  }
  :host([hidden]) {
    display: none;
  }
  .box {
    flex: 1;
    min-block-size: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    outline-offset: -2px;
  }
  .held {
    overflow-anchor: none;
  }
  .content {
    display: flow-root;
    max-inline-size: 840px;
    margin-inline: auto;
    padding: 16px 16px 8px;
  }
  .older {
    display: block;
    margin: 0 auto 16px;
  }
  .day {
    display: flex;
    gap: 12px;
    align-items: center;
    margin-block: 8px 16px;
    color: var(--_muted);
    font-size: 12px;
  }
  .day::before,
  .day::after {
    flex: 1;
    border-block-start: 1px solid var(--_line);
    content: '';
  }
  .latest {
    display: flex;
    position: absolute;
    inset-block-end: 8px;
    inset-inline: 0;
    gap: 6px;
    align-items: center;
    inline-size: max-content;
    max-inline-size: calc(100% - 32px);
    margin-inline: auto;
    border-radius: 22px;
    box-shadow: 0 2px 8px rgb(0 0 0 / 16%);
  }
`;
