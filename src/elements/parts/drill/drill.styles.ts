import { css } from 'lit';

/** Styles of the drill dialog. */
export const drillStyles = css`
  dialog {
    box-sizing: border-box;
    flex-direction: column;
    gap: 12px;
    inline-size: min(960px, calc(100vw - 32px));
    block-size: min(640px, calc(100vh - 32px));
    max-inline-size: none;
    max-block-size: none;
    padding: 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
  }
  dialog[open] {
    display: flex;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  .head {
    display: flex;
    flex: none;
    gap: 8px;
    align-items: start;
  }
  .title {
    flex: 1;
    min-inline-size: 0;
  }
  [role='heading'] {
    font: 600 16px/24px var(--_font);
    overflow-wrap: anywhere;
  }
  ol {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 4px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li::after {
    padding-inline-start: 4px;
    color: var(--_muted);
    content: '/';
  }
  li button {
    min-block-size: 24px;
    padding: 0 2px;
    border: 0;
    background: none;
    color: var(--_accent);
    font: 400 12px/24px var(--_font);
    text-decoration: underline;
  }
  p {
    margin: 0;
    color: var(--_muted);
    font: 400 12px/18px var(--_font);
  }
  .actions {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    gap: 8px;
    justify-content: end;
  }
  .body {
    position: relative;
    flex: 1;
    min-block-size: 0;
  }
  .body > * {
    position: absolute;
    inset: 0;
  }
  .message {
    overflow: auto;
    container-type: size;
  }
  @media (max-width: 600px) {
    dialog {
      inline-size: 100vw;
      block-size: 100dvh;
      border: 0;
      border-radius: 0;
    }
    .head {
      flex-wrap: wrap;
    }
    .title {
      flex-basis: 100%;
    }
  }
  @media print {
    dialog {
      display: none;
    }
  }
`;
