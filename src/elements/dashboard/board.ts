// Lazy-loaded chunk that renders the tiles of a dashboard; loaded while the session is created.

export { DashboardBoard } from './dashboard-board.js';
export { renderEditor } from './editor/render-editor.js';
export { renderDashboard } from './render-dashboard.js';
