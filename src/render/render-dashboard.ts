import { formattingLocale } from '../report/format/locale.js';
import { findSnapshot } from '../report/layout/find-snapshot.js';
import { allNodes, type WidgetNode } from '../report/layout/widget-tree.js';
import { type DashboardParts, type FileParts, flowPages, loadDashboardParts } from '../scene/dashboard-parts.js';
import { createRenderContext } from './create-render-context.js';
import { dataFile } from './data-file.js';
import { htmlFile } from './html-file.js';
import { loadPackage } from './missing-package.js';
import { drawPages, layoutOf, type PageLayout } from './pages.js';
import { boundedScale, renderPng } from './png.js';
import { RenderError } from './problems.js';
import type { RenderContext } from './render-context.js';
import type {
  DashboardOutput,
  FailedTile,
  RenderDashboardOptions,
  RenderedContent,
  RenderedDashboard,
} from './render-options.js';
import { boundedSource } from './row-source.js';
import { writeSvg } from './svg.js';
import { svgFile } from './svg-file.js';

const mediaTypes: Readonly<Record<DashboardOutput, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

/**
 * Renders a published dashboard as a file, without a browser: all tabs and containers, with the control values of the
 * caller. A tile that fails shows a message; the other tiles are complete.
 * @throws {RenderError} if the dashboard has no widget `widgetId` or no report `reportId`; the reason of the signal if
 * it is aborted; or an error that names the missing package of the renderer.
 */
export async function renderDashboard<O extends DashboardOutput>(
  options: RenderDashboardOptions<O>,
): Promise<RenderedDashboard<O>> {
  const { dashboard, output, theme, locale, onProgress = () => {} } = options;
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const context = await createRenderContext({ locale, theme, dashboardTheme: dashboard.config.theme, signal });
  const source = boundedSource(options, { signal, timeoutMs: options.timeoutMs });
  try {
    const parts = await loadDashboardParts(context, {
      ...options,
      aiWidgets: options.aiWidgets ?? [],
      select: nodes => selectNodes(nodes, options),
      source,
      onProgress: share => onProgress(share * 0.8),
    });
    const { title, filters, tiles } = parts;
    const head = { mediaType: mediaTypes[output], extension: output, title, filters };
    if (output === 'xlsx' || output === 'csv') {
      const content = await dataFile(context, [...tiles.values()], { output, title });
      signal.throwIfAborted();
      onProgress(1);
      return { ...head, content: content as RenderedContent<O>, pageCount: 1, failedTiles: failedOf(tiles) };
    }
    const layout = layoutOf(options);
    const failed: FailedTile[] = [];
    const tileOf = (key: string) => tiles.get(key) ?? null;
    const file: FileParts = {
      bands: parts.bandsFor(layout.width),
      texts: { title, filters, created: context.messages.print.created(printedTime(context, options)) },
      tileOf,
      onTile(tile, failure) {
        const widgetId = tileOf(tile.key)?.widgetId ?? tile.key;
        if (failure !== null) failed.push({ widgetId, title: tile.label ?? tile.title, message: failure });
      },
      notes: () => notesOf(context, parts.omitted),
    };
    const { content, pageCount } = await (output === 'html'
      ? htmlFile(context, file).then(html => ({ content: html, pageCount: 1 }))
      : drawFile(context, file, { ...options, layout }));
    signal.throwIfAborted();
    onProgress(1);
    return { ...head, content: content as RenderedContent<O>, pageCount, failedTiles: failed };
  } finally {
    source.close();
  }
}

const firstPosition = { x: 0, y: 0, w: 12, h: 8 };

/**
 * Returns the nodes to render: all of them, or only the requested widget or report.
 * @throws {RenderError}
 */
function selectNodes(
  nodes: readonly WidgetNode[],
  { dashboard, widgetId, reportId }: RenderDashboardOptions,
): readonly WidgetNode[] {
  if (reportId !== undefined) {
    const snapshot = findSnapshot(dashboard, reportId);
    if (!snapshot) throw new RenderError('unknown_report', 'reportId: the dashboard has no report with this id.');
    const config = { reportId: snapshot.reportId };
    return [{ type: 'tile', key: 'report', widget: { id: 'report', type: 'REPORT', position: firstPosition, config } }];
  }
  if (widgetId === undefined) return nodes;
  const found = allNodes(nodes).find(node => node.type === 'tile' && node.widget.id === widgetId);
  if (found?.type !== 'tile')
    throw new RenderError('unknown_widget', 'widgetId: the dashboard has no tile with this id.');
  return [{ ...found, widget: { ...found.widget, position: firstPosition } }];
}

function failedOf(tiles: DashboardParts['tiles']): FailedTile[] {
  return [...tiles.values()].flatMap(({ widgetId, title, label, failure }) =>
    failure === null ? [] : [{ widgetId, title: label ?? title, message: failure }],
  );
}

function printedTime(
  { locale }: RenderContext,
  { now = new Date(), timeZone = 'UTC' }: RenderDashboardOptions,
): string {
  const format = { dateStyle: 'medium', timeStyle: 'long', timeZone } as const;
  return new Intl.DateTimeFormat(formattingLocale(locale), format).format(now);
}

/** Returns the notes about the whole file. */
function notesOf({ messages, fonts }: RenderContext, omitted: number): string[] {
  const { print } = messages;
  const { missing } = fonts;
  const codes = missing.map(character => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`);
  return [
    ...(omitted > 0 ? [print.omittedTiles(omitted)] : []),
    ...(codes.length > 0 ? [print.missingCharacters(codes.join(', '))] : []),
  ];
}

interface FileOptions extends Pick<RenderDashboardOptions, 'output' | 'scale'> {
  readonly layout: PageLayout;
}

async function drawFile(
  context: RenderContext,
  parts: FileParts,
  { output, scale = 2, layout }: FileOptions,
): Promise<{ readonly content: string | Uint8Array; readonly pageCount: number }> {
  const pause = () => new Promise<void>(resolve => setImmediate(resolve));
  const { texts } = parts;
  const contents = await flowPages(context, parts, { width: layout.width, height: layout.height, pause });
  const pages = drawPages(context, contents, { layout, texts });
  const pageCount = pages.length;
  if (output === 'pdf') {
    const { writePdf } = await loadPackage(() => import('./pdf.js'));
    return { content: await writePdf(context, pages, { layout, texts }), pageCount };
  }
  const [page = { width: 1, height: 1, nodes: [] }] = pages;
  const file = svgFile(context, page, { title: texts.title, nodes: page.nodes });
  if (output === 'svg') return { content: writeSvg(file), pageCount };
  return { content: await renderPng(file, context.fonts, boundedScale(page.width, page.height, scale)), pageCount };
}
