import { css } from 'lit';

/**
 * Styles of a figure. Its size comes from the room there is and the number of its characters (`--_characters`), so that it
 * fits without being measured.
 */
export const kpiStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    justify-content: center;
    overflow: hidden;
    container-type: size;
  }
  .figure {
    margin: 0;
    font-weight: 600;
    font-size: clamp(12px, min(100cqi / (var(--_characters) * 0.74), 60cqb), var(--pa-figure-size, 36px));
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.02em;
    line-height: 1.15;
    white-space: nowrap;
  }
  .label {
    margin: 2px 0 0;
    overflow: hidden;
    color: var(--_muted);
    font-size: 12px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  @container (block-size < 56px) {
    .label {
      display: none;
    }
  }
`;
