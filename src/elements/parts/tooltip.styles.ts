import { css } from 'lit';
import { popoverStyles } from './popover.styles.js';

/** A tooltip of a drawing: a title, and rows of a name and what it is. */
export const tooltipStyles = css`
  ${popoverStyles}
  .tooltip p {
    margin: 0;
    font-weight: 600;
  }
  .tooltip table {
    border-spacing: 0;
  }
  .tooltip th {
    padding: 0;
    padding-inline-end: 16px;
    color: var(--_muted);
    font-weight: 400;
    text-align: start;
  }
  .tooltip td {
    padding: 0;
    font-weight: 500;
    font-variant-numeric: tabular-nums;
    text-align: end;
    overflow-wrap: anywhere;
  }
`;
