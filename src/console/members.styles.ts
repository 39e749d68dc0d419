import { css } from 'lit';

/** Styles of the member picker. */
export const membersStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 8px;
    min-block-size: 0;
  }
  .sources {
    min-block-size: 0;
    margin-inline: -8px;
    overflow-y: auto;
  }
  summary {
    padding: 6px 8px;
    border-radius: var(--_control-radius);
    font-weight: 600;
    cursor: pointer;
  }
  summary code {
    margin-inline-start: 4px;
    color: var(--_muted);
    font-size: 12px;
    font-weight: 400;
  }
  fieldset {
    margin: 0 0 4px;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 8px 8px 2px;
    color: var(--_muted);
    font-size: 12px;
  }
  .member {
    display: flex;
    align-items: center;
    border-radius: var(--_control-radius);
  }
  .member:hover {
    background: color-mix(in srgb, var(--_text) 5%, transparent);
  }
  .member label {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
    min-block-size: 30px;
    padding-inline: 8px;
    color: var(--_text);
    font-size: 13px;
    cursor: pointer;
  }
  .title {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .type {
    margin-inline-start: auto;
    color: var(--_muted);
    font-size: 12px;
  }
  .filter {
    display: flex;
    flex: none;
    align-items: center;
    justify-content: center;
    inline-size: 30px;
    min-block-size: 30px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .filter[aria-pressed='true'] {
    color: var(--_accent);
  }
  .filter[aria-pressed='true'] svg {
    fill: currentcolor;
  }
  svg {
    inline-size: 14px;
    block-size: 14px;
    fill: none;
    stroke: currentcolor;
    stroke-linejoin: round;
    stroke-width: 1.75;
  }
  @media (pointer: coarse) {
    .member label,
    .filter {
      min-block-size: 44px;
    }
    .filter {
      inline-size: 44px;
    }
  }
`;
