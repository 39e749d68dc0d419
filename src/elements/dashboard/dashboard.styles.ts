import { css } from 'lit';

/**
 * Styles of a dashboard before it renders; those of its widgets are in `board.styles.ts`. Until it renders, it keeps
 * the height that `styles.css` reserves before the upgrade, so that the content below does not shift twice.
 */
export const dashboardStyles = css`
  :host {
    display: block;
    box-sizing: border-box;
    min-inline-size: 0;
    padding: var(--_dashboard-padding);
    background: var(--_background);
  }
  :host([hidden]) {
    display: none;
  }
  .ruler {
    block-size: 0;
  }
  .reserved {
    min-block-size: var(--pa-dashboard-reserve, 100vh);
  }
  .blank {
    visibility: hidden;
  }
  .title {
    margin-block-end: 16px;
  }
  .title :is(h1, h2, h3, h4, h5, h6) {
    margin: 0;
    font: 600 20px/28px var(--_font);
    letter-spacing: -0.01em;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }
  .title-line {
    /* The height of the buttons, which appear later than the title. */
    min-block-size: 32px;
    display: flex;
    align-items: start;
    flex-wrap: wrap;
    gap: 8px 12px;
  }
  .title-line > #title {
    flex: 1 1 min(10em, 100%);
    min-inline-size: 0;
  }
  .title .skeleton {
    display: block;
    block-size: 32px;
  }
  .title .skeleton i {
    inline-size: min(240px, 60%);
    block-size: 20px;
    margin-block: 4px;
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(var(--_columns, 12), minmax(0, 1fr));
    grid-auto-rows: var(--_row-height, 30px);
    gap: var(--_gap, 16px);
    padding: var(--_grid-padding, 0);
  }
  .delayed {
    container-type: inline-size;
  }
  .outlines {
    grid-template-columns: repeat(4, minmax(0, 1fr));
    grid-template-rows: 152px;
    grid-auto-rows: 320px;
  }
  .outline:nth-child(n + 5) {
    grid-column: span 2;
  }
  @container (inline-size < 600px) {
    .outlines {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      grid-template-rows: 120px 120px;
      gap: 12px;
    }
  }
  .outline {
    box-sizing: border-box;
    padding: var(--_padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .panel {
    display: grid;
    min-block-size: 240px;
    padding: var(--_padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
`;
