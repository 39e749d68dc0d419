// Lazy-loaded chunk that renders the tiles of a dashboard; loaded while the session is created.

export { widgetBoard } from '../../report/layout/widget-board.js';
export { renderSubscribe } from '../parts/subscribe/render-subscribe.js';
export { renderApp } from './app/render-app.js';
export { renderEditButton, renderEditor } from './editor/render-editor.js';
export { renderBoard } from './render-board.js';
export { hasSavedViews, renderViewerTools } from './viewer-tools.js';
export { widgetsOf } from './widgets.js';
