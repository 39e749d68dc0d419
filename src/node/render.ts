import type {
  DashboardOutput,
  RenderDashboardOptions,
  RenderedDashboard,
  RenderedReport,
  RenderReportOptions,
  ReportOutput,
} from '../render/render-options.js';

/**
 * Renders one report as an SVG or PNG file, without a browser. Rows come from `load`, which decides whose token it
 * uses. A report that cannot be shown becomes a drawing of a message. Requires the package `pa-embed-platform`.
 * @throws the reason of the signal if it is aborted, or an error that names the package to install.
 */
export async function renderReport<O extends ReportOutput>(
  options: RenderReportOptions<O>,
): Promise<RenderedReport<O>> {
  const { renderReport: render } = await import('../render/render-report.js');
  return render(options);
}

/**
 * Renders a published dashboard as a PDF, PNG, SVG or HTML file, without a browser: all tabs and containers, with the
 * control values of the caller. A tile that fails shows a message, and the others are complete. Requires the package
 * `pa-embed-platform`.
 * @throws an error with the `code` `unknown_widget` or `unknown_report` if the dashboard has no widget `widgetId` or no
 * report `reportId`; the reason of the signal if it is aborted; or an error that names the package to install.
 */
export async function renderDashboard<O extends DashboardOutput>(
  options: RenderDashboardOptions<O>,
): Promise<RenderedDashboard<O>> {
  const { renderDashboard: render } = await import('../render/render-dashboard.js');
  return render(options);
}
