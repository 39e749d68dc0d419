import { css } from 'lit';

/** Styles of dialogs, fields and primary buttons of the workspace and the editor. */
export const dialogStyles = css`
  dialog {
    box-sizing: border-box;
    inline-size: min(440px, calc(100vw - 32px));
    max-block-size: calc(100vh - 32px);
    padding: 20px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 8px 32px rgb(0 0 0 / 20%);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  dialog h2 {
    margin: 0 0 16px;
    font: 600 16px/24px var(--_font);
    overflow-wrap: anywhere;
  }
  dialog .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    justify-content: end;
    margin-block-start: 20px;
  }
  .field {
    display: flex;
    flex-direction: column;
    gap: 4px;
    color: var(--_muted);
    font: 400 12px/16px var(--_font);
  }
  input,
  select,
  textarea {
    box-sizing: border-box;
    min-block-size: 32px;
    min-inline-size: 0;
    padding: 0 10px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 13px/1.4 var(--_font);
  }
  input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  button.primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: light-dark(#fff, #0b1020);
  }
  button.primary:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  button:disabled {
    cursor: default;
    opacity: 0.5;
  }
  @media (pointer: coarse) {
    input,
    select {
      min-block-size: 44px;
    }
  }
`;

/** Styles of dialogs whose form is a column with equal gaps. */
export const dialogFormStyles = css`
  form {
    display: flex;
    flex-direction: column;
    gap: 12px;
  }
  form h2,
  form .buttons {
    margin-block: 0;
  }
`;
