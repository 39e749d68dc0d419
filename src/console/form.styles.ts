import { css } from 'lit';
import { controls } from '../elements/parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../elements/parts/visually-hidden.styles.js';

/** Styles of panels and form fields that all elements of the console share. */
export const formStyles = [
  controls,
  visuallyHiddenStyles,
  css`
    * {
      box-sizing: border-box;
    }
    h2,
    h3 {
      margin: 0;
      font: 600 14px/20px var(--_font);
    }
    p {
      margin: 0;
    }
    code,
    pre {
      font: 400 13px/1.5 var(--_code-font);
    }
    a {
      color: var(--_accent);
    }
    .panel {
      padding: 16px;
      border: 1px solid var(--_line);
      border-radius: var(--_radius);
      background: var(--_surface);
    }
    .muted,
    .hint {
      color: var(--_muted);
      font-size: 13px;
    }
    .error {
      color: var(--_danger);
      font-size: 13px;
    }
    label {
      color: var(--_muted);
      font-size: 12px;
    }
    .field {
      display: flex;
      flex-direction: column;
      gap: 4px;
      min-inline-size: 0;
    }
    input:not([type='checkbox']),
    select,
    textarea {
      inline-size: 100%;
      min-block-size: 32px;
      padding: 4px 10px;
      border: 1px solid var(--_control);
      border-radius: var(--_control-radius);
      background: var(--_surface);
      color: var(--_text);
      font: 400 13px/1.5 var(--_font);
    }
    textarea {
      min-block-size: 56px;
      font-family: var(--_code-font);
      resize: vertical;
    }
    [aria-invalid='true'] {
      border-color: var(--_danger);
    }
    input[type='checkbox'] {
      flex: none;
      inline-size: 16px;
      block-size: 16px;
      margin: 0;
      accent-color: var(--_accent);
    }
    .primary {
      border-color: var(--_accent);
      background: var(--_accent);
      color: var(--pa-on-accent, light-dark(#fff, #0b1020));
    }
    .primary:hover {
      background: color-mix(in srgb, var(--_accent) 85%, var(--_text));
    }
    .primary:disabled {
      border-color: var(--_line);
      background: color-mix(in srgb, var(--_text) 6%, var(--_surface));
      color: var(--_muted);
      cursor: default;
    }
    .text-button {
      padding-inline: 8px;
      border-color: transparent;
      background: none;
      color: var(--_accent);
    }
    @media (pointer: coarse) {
      input:not([type='checkbox']),
      select {
        min-block-size: 44px;
      }
    }
  `,
];
