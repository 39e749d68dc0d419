import { css } from 'lit';

/** Styles of the editor. */
export const editorStyles = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  .bar,
  .tools,
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  .bar {
    justify-content: space-between;
    position: sticky;
    inset-block-start: 0;
    z-index: 2;
    margin-block-end: 12px;
    padding-block: 6px;
    background: var(--pa-editor-bar, var(--_page));
  }
  .head {
    flex: 1 1 220px;
    gap: 4px 12px;
    min-inline-size: 0;
  }
  .title {
    min-inline-size: 0;
  }
  [part='heading'] {
    margin: 0;
    font: 600 20px/28px var(--_font);
    overflow-wrap: anywhere;
  }
  .state {
    display: inline-flex;
    gap: 8px;
    align-items: center;
    min-inline-size: 96px;
    color: var(--_muted);
    font-size: 12px;
  }
  .state.warn {
    color: var(--_warn);
  }
  .state.danger,
  .problem {
    color: var(--_danger);
  }
  .state button {
    min-block-size: 24px;
  }
  .problem {
    margin: 0 0 12px;
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .tools button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .tools .tool {
    justify-content: center;
    inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
  }
  .tool:dir(rtl) svg {
    transform: scaleX(-1);
  }
  .tools .narrow {
    display: none;
  }
  .preview {
    min-block-size: 32px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
  }
  pa-edit-grid.tablet,
  pa-edit-grid.phone {
    margin-inline: auto;
  }
  pa-edit-grid.tablet {
    max-inline-size: 768px;
  }
  pa-edit-grid.phone {
    max-inline-size: 390px;
  }
  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 0 0 12px;
    padding: 0;
    list-style: none;
  }
  .controls li {
    display: inline-flex;
    align-items: center;
    max-inline-size: 100%;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: var(--_surface);
  }
  .controls button {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    justify-content: center;
    min-inline-size: 0;
    border-color: transparent;
    border-radius: 999px;
    background: none;
  }
  .controls span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .controls .tool {
    flex: none;
    inline-size: 32px;
    padding: 0;
    color: var(--_muted);
  }
  .panel {
    box-sizing: border-box;
    min-block-size: 280px;
    padding: 48px 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .panel.empty {
    border-style: dashed;
    border-color: var(--_control);
    background: none;
  }
  .panel.loading {
    block-size: 280px;
    padding: 16px;
  }
  dialog.wide {
    inline-size: min(560px, calc(100vw - 32px));
  }
  dialog p {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  textarea {
    padding-block: 8px;
    font: 400 13px/1.5 var(--_code-font);
    resize: vertical;
  }
  .form form {
    display: flex;
    flex-direction: column;
    gap: 12px;
  }
  .form h2 {
    margin: 0;
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
  @media (pointer: coarse) {
    .tools .tool {
      inline-size: 44px;
    }
  }
  /* A menu offers the tools that do not fit into one line. */
  @container (inline-size < 760px) {
    .tools .wide {
      display: none;
    }
    .tools .narrow {
      display: inline-flex;
    }
  }
  @container (inline-size < 520px) {
    .bar {
      position: static;
    }
    .tools {
      flex: 1;
      flex-wrap: nowrap;
      gap: 4px;
    }
    .tools .primary {
      margin-inline-start: auto;
    }
    /* The name of the button remains for screen readers. */
    .tools .text {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
  }
`;
