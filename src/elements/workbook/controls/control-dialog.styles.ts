import { css } from 'lit';

/** Styles of the dialog for a control. */
export const controlDialogStyles = css`
  .field + .field {
    margin-block-start: 12px;
  }
  fieldset {
    min-inline-size: 0;
    margin-inline: 0;
    padding: 0;
    border: 0;
  }
  legend {
    margin-block-end: 4px;
    padding: 0;
  }
  .choices {
    max-block-size: 200px;
    padding: 4px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    overflow-y: auto;
  }
  .choices label {
    display: flex;
    gap: 8px;
    align-items: center;
    min-block-size: 28px;
    padding: 0 6px;
    color: var(--_text);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .choices input {
    flex: none;
    inline-size: 16px;
    min-block-size: 0;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .hint,
  .presets {
    margin: 0 0 8px;
  }
  .presets {
    padding: 0;
    list-style: none;
  }
  .presets li {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    padding-block: 4px;
    border-block-end: 1px solid var(--_line);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .presets strong {
    color: var(--_text);
    font-weight: 600;
  }
  .presets button {
    flex: none;
    padding: 0 8px;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .adding {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .adding .preset {
    flex: 1 1 160px;
  }
  .adding .add {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .problem {
    margin: 0;
    color: var(--_danger);
    font-size: 13px;
  }
  .problem:not(:empty) {
    margin-block-start: 12px;
  }
  @media (pointer: coarse) {
    .choices label {
      min-block-size: 44px;
    }
  }
`;
