import { css } from 'lit';

/** Styles of the composer. */
export const composerStyles = css`
  :host {
    display: block;
    padding: 0 12px 12px;
  }
  form {
    display: flex;
    flex-direction: column;
    gap: 4px;
    max-inline-size: 840px;
    margin-inline: auto;
    padding: 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  form:has(textarea:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: -1px;
  }
  pa-chat-attachments {
    padding: 4px;
  }
  textarea {
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 32px;
    /* Six lines. */
    max-block-size: calc(6 * 1.5em + 12px);
    padding: 6px 8px;
    border: 0;
    background: none;
    color: inherit;
    font: 400 14px/1.5 var(--_font);
    resize: none;
    overflow-y: auto;
    scrollbar-width: thin;
    field-sizing: content;
  }
  /* The focus ring surrounds the whole composer. */
  textarea:focus-visible {
    outline: none;
  }
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  textarea:disabled {
    cursor: not-allowed;
  }
  .row {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .note {
    flex: 1;
    min-inline-size: 0;
    color: var(--_danger);
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  button {
    display: grid;
    flex: none;
    place-items: center;
    min-inline-size: 32px;
    padding: 0;
  }
  .quiet {
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .send {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .send:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  .send[aria-disabled='true'] {
    border-color: var(--_control);
    background: none;
    color: var(--_muted);
    cursor: default;
  }
  button:disabled {
    cursor: not-allowed;
  }
  @media (pointer: coarse) {
    button {
      min-inline-size: 44px;
    }
    textarea {
      /* Phones zoom in on inputs with a font below 16 px. */
      font-size: 16px;
    }
  }
`;
