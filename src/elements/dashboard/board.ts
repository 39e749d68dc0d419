// What it takes to draw the tiles of a dashboard: loaded while its session is minted.

export { widgetBoard } from '../../report/layout/widget-board.js';
export { renderBoard } from './render-board.js';
export { widgetsOf } from './widgets.js';
