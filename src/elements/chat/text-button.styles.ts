import { css } from 'lit';

/** Styles of buttons that have a frame only while hovered, and of the summary of a `details` element. */
export const textButtonStyles = css`
  button.quiet {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    min-block-size: 28px;
    padding: 0 8px;
    border-color: transparent;
    background: none;
    color: var(--_muted);
    font-size: 12px;
  }
  button.quiet:hover {
    background: color-mix(in srgb, var(--_text) 7%, transparent);
    color: var(--_text);
  }
  button svg {
    flex: none;
  }
  @media (pointer: coarse) {
    button.quiet {
      min-block-size: 44px;
    }
  }
`;
