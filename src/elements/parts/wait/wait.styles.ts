import { css } from 'lit';

/** Styles of what stands over a tile whose query takes long. */
export const waitStyles = css`
  :host {
    display: flex;
    justify-content: center;
    container-type: inline-size;
    pointer-events: none;
  }
  .wait {
    display: flex;
    align-items: center;
    gap: 12px;
    box-sizing: border-box;
    max-inline-size: 100%;
    padding: 3px;
    padding-inline-start: 12px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_control-radius) + 3px);
    background: var(--_surface);
    color: var(--_muted);
    font-size: 13px;
    line-height: 1.3;
    pointer-events: auto;
  }
  .words {
    white-space: nowrap;
  }
  /* A narrow tile has room for the seconds alone. */
  @container (inline-size < 200px) {
    .optional {
      display: none;
    }
    .wait {
      gap: 8px;
      padding-inline-start: 8px;
    }
  }
  .time {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .said {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  button {
    flex: none;
    color: var(--_text);
  }
  @media not (pointer: coarse) {
    button {
      min-block-size: 26px;
      padding-inline: 10px;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;
