import { measureChartTexts } from '../charts/view.js';
import type { Dashboard } from '../contract/dashboards.js';
import { loadDashboardMessages } from '../elements/messages/load-translations.js';
import { createFormatter } from '../report/format/format.js';
import { localeDirections, supportedLocale } from '../report/format/locale.js';
import { drawChart } from './draw-chart.js';
import { fontFamilyName, openFonts } from './fonts.js';
import { openColorReader } from './png.js';
import { problemNotice } from './problems.js';
import { renderColors } from './render-colors.js';
import type { RenderContext } from './render-context.js';
import type { RenderTheme } from './render-options.js';

/** Maximum number of rows of a table in a file. */
const maxTableRows = 2_000;
/** Maximum number of cells of all tables of a file. */
const maxCells = 150_000;

/** Options of `createRenderContext`. */
interface ContextOptions {
  readonly locale: string | undefined;
  readonly theme: RenderTheme | undefined;
  readonly dashboardTheme: Dashboard['config']['theme'];
  readonly signal: AbortSignal;
}

/** Loads what all parts of a file share: fonts, messages and colors. */
export async function createRenderContext(options: ContextOptions): Promise<RenderContext> {
  const locale = supportedLocale(options.locale ?? 'en') ?? 'en';
  const [fonts, messages, readColor] = await Promise.all([
    openFonts(),
    loadDashboardMessages(locale),
    openColorReader(),
  ]);
  await measureChartTexts((text, { size, isBold }) => fonts.width(text, { size, weight: isBold ? 600 : 400 }));
  const colors = renderColors(options.theme ?? {}, options.dashboardTheme, readColor);
  const { text, muted, line, surface, series } = colors;
  const context: RenderContext = {
    locale,
    direction: localeDirections(locale).text,
    formatter: createFormatter(locale),
    messages,
    fonts,
    colors,
    chartTheme: { text, muted, line, surface, series, font: fontFamilyName },
    readColor,
    signal: options.signal,
    cells: { left: maxCells, maxRows: maxTableRows },
    drawChart: (report, size) => drawChart(context, report, size),
    noticeOf: error => problemNotice(error, messages.page),
  };
  return context;
}
