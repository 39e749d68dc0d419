import { css } from 'lit';

/** Styles of the export button, and of the list of running exports. */
export const exportStyles = css`
  :host {
    display: contents;
  }
  .open {
    flex: none;
    inline-size: auto;
    padding: 0 12px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    font: 500 13px/1 var(--_font);
    text-align: center;
  }
  /* At the start of the window, because the button and the panel of the chat are at its end. */
  .jobs {
    inset: auto;
    inset-block-end: 16px;
    inset-inline-start: 16px;
    display: none;
    flex-direction: column;
    gap: 12px;
    inline-size: min(320px, calc(100vw - 76px));
    min-inline-size: 0;
    max-block-size: 50vh;
    padding: 12px;
  }
  .jobs:popover-open {
    display: flex;
  }
  .job {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    gap: 4px 12px;
  }
  .job p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .job button {
    inline-size: auto;
    border: 1px solid var(--_control);
    text-align: center;
  }
  .job .reason {
    grid-column: 1;
    color: var(--_danger);
  }
  .job details {
    grid-column: 1 / -1;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  progress {
    grid-column: 1;
    inline-size: 100%;
    block-size: 6px;
    accent-color: var(--_accent);
  }
`;
