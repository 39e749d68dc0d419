import { css } from 'lit';

/** Styles of a filter's chip and of what it opens. */
export const filterStyles = css`
  [popover] {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    inline-size: max-content;
    max-inline-size: calc(100vw - 16px);
    max-block-size: min(520px, calc(100vh - 16px));
    margin: 0;
    --_panel-padding: 12px;
    padding: var(--_panel-padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 4px 16px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 13px/1.5 var(--_font);
    overflow: hidden;
  }
  [popover]:popover-open {
    display: flex;
    flex-direction: column;
  }
  [popover]:focus {
    outline: 0;
  }
  [popover]::backdrop {
    background: none;
  }
  /* A sheet at the lower edge: a panel of this width would cover its chip anyway. */
  @media (width < 600px) {
    [popover] {
      inset: auto 0 0;
      inline-size: 100%;
      max-inline-size: none;
      max-block-size: 85vh;
      max-block-size: 85dvh;
      --_panel-padding: 16px;
      padding-block-end: max(16px, env(safe-area-inset-bottom));
      border-width: 1px 0 0;
      border-end-start-radius: 0;
      border-end-end-radius: 0;
    }
    [popover]::backdrop {
      background: rgb(0 0 0 / 40%);
    }
  }
  /* With a basis of 0, WebKit gives the panel no more than its minimum: the popover has no height of its own. */
  pa-filter-panel {
    flex: 1 1 auto;
    min-block-size: 60px;
  }
`;
