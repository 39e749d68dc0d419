import { css } from 'lit';

/** Styles of a report. The host sets the height; the default is `--pa-report-height`. */
export const reportStyles = css`
  :host {
    display: block;
    box-sizing: border-box;
    block-size: var(--pa-report-height, 360px);
    min-inline-size: 0;
  }
  :host([hidden]) {
    display: none;
  }
  .frame {
    display: flex;
    flex-direction: column;
    gap: 12px;
    block-size: 100%;
  }
  pa-tile {
    flex: 1;
    min-block-size: 0;
  }
  .blank {
    visibility: hidden;
  }
  .panel {
    box-sizing: border-box;
    block-size: 100%;
    padding: var(--_padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    overflow: auto;
  }
  .banner {
    flex: none;
    block-size: auto;
    max-block-size: 60%;
  }
  /* As high as on the screen, or higher if the content must be printed in full. */
  @media print {
    :host,
    .frame {
      block-size: auto;
      print-color-adjust: exact;
    }
    .frame {
      min-block-size: var(--pa-report-height, 360px);
    }
    pa-tile {
      flex-basis: auto;
    }
  }
`;
