import { css } from 'lit';

/** Styles of the dialog with the versions of a dashboard. */
export const versionsStyles = css`
  dialog {
    inline-size: min(1120px, calc(100vw - 32px));
    container-type: inline-size;
  }
  .columns {
    display: grid;
    grid-template-columns: 232px minmax(0, 1fr);
    gap: 16px;
    block-size: min(560px, calc(100vh - 220px));
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
    overflow: auto;
  }
  li button {
    display: flex;
    flex-direction: column;
    gap: 2px;
    align-items: start;
    inline-size: 100%;
    min-block-size: 44px;
    padding: 8px 12px;
    border-color: transparent;
    background: none;
    font: 400 13px/1.4 var(--_font);
    text-align: start;
  }
  li button:hover {
    background: color-mix(in srgb, var(--_text) 6%, transparent);
  }
  li [aria-current] {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 8%, transparent);
  }
  .current {
    display: inline-flex;
    gap: 4px;
    align-items: center;
    color: var(--_success);
    font-size: 12px;
  }
  time,
  .more {
    color: var(--_muted);
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .preview {
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_page);
    overflow: auto;
  }
  .loading {
    block-size: 240px;
  }
  @container (inline-size < 640px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: fit-content(33%) minmax(0, 1fr);
      block-size: calc(100vh - 220px);
    }
  }
`;
