import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Notice } from '../elements/messages/message-format.js';
import { requestWithChoices } from '../report/controls/control-state.js';
import type { Choice } from '../report/controls/controls.js';
import { fillHtml, readHtml } from '../report/html/html.js';
import { parseMarkdown } from '../report/markdown/markdown.js';
import { loadReport, type SqlReportSource } from '../report/query/load-report.js';
import { reportKind } from '../report/query/report-kind.js';
import { filterOrigin, type ReportRequest } from '../report/query/report-request.js';
import type { DashboardScene } from './dashboard-scene.js';
import { textBody } from './draw-text.js';
import { dataNotes, type ReportInput, sceneBody } from './report-tile.js';
import { htmlBlocks, markdownBlocks } from './rich-text.js';
import { textLine } from './scene-context.js';
import { element, type SvgElement } from './svg-element.js';
import type { Drawing, LoadedBody, SceneSize, TileBody } from './tile-body.js';

/** Loads the rows of a report and creates its body. A failure becomes a message in the tile. */
export async function loadReportBody(
  context: DashboardScene,
  source: SqlReportSource,
  report: { readonly snapshot: ReportSnapshot; readonly title: string; readonly choices: readonly Choice[] },
): Promise<LoadedBody> {
  const { snapshot, title, choices } = report;
  const { page } = context.messages;
  if (!reportKind(snapshot)) return noticeBody(context, page.unsupportedKind);
  const request = requestWithChoices(snapshot, choices);
  if (!request) return noticeBody(context, page.noQuery);
  try {
    const data = await loadReport(source, request);
    if (data.rowSet.rows.length === 0) {
      return { ...noticeBody(context, emptyNotice(context, request)), failure: null, report: { snapshot, data } };
    }
    return {
      body: safeBody(context, reportBody(context, { snapshot, data, title })),
      failure: null,
      notes: dataNotes(context, data),
      report: { snapshot, data },
    };
  } catch (error) {
    context.signal.throwIfAborted();
    return noticeBody(context, context.noticeOf(error));
  }
}

function emptyNotice({ messages: { page } }: DashboardScene, request: ReportRequest): Notice {
  const origin = filterOrigin(request);
  if (origin === 'choices') return page.emptyChosen;
  return origin === 'report' ? page.emptyFiltered : page.empty;
}

/** Creates the body of a text widget. */
export function markdownBody(context: DashboardScene, markdown: string): LoadedBody {
  return { body: textBody(context, markdownBlocks(parseMarkdown(markdown))), failure: null, notes: [] };
}

function reportBody(context: DashboardScene, input: ReportInput): TileBody {
  const { snapshot, data } = input;
  const { rowSet } = data;
  const scene = sceneBody(context, input);
  if (scene) return scene;
  if (reportKind(snapshot) !== 'html') return { type: 'drawing', draw: size => context.drawChart(input, size) };
  const { formatter } = context;
  const filled = fillHtml(readHtml(snapshot), rowSet, { formatter, preferences: snapshot.preferences });
  return textBody(context, htmlBlocks(filled.nodes), filled.isCut ? [context.messages.html.tooMuch] : []);
}

/** Shows a message instead of a drawing that fails. */
function safeBody(context: DashboardScene, body: TileBody): TileBody {
  if (body.type === 'flow') return body;
  return {
    type: 'drawing',
    async draw(size) {
      try {
        return await body.draw(size);
      } catch (error) {
        context.signal.throwIfAborted();
        const notice = context.noticeOf(error);
        return { ...drawNotice(context, notice, size), failure: notice.join('. ') };
      }
    },
  };
}

/** Creates a body that shows a message. */
export function noticeBody(context: DashboardScene, notice: Notice): LoadedBody {
  return {
    body: { type: 'drawing', draw: async size => drawNotice(context, notice, size) },
    failure: notice.join('. '),
    notes: [],
  };
}

const noticeSize = 13;

/** Draws a message in the middle of a box. */
function drawNotice(context: DashboardScene, [title, hint]: Notice, { width, height }: SceneSize): Drawing {
  const { fonts, colors } = context;
  const lines = [
    ...fonts
      .wrap(fonts.drawable(title, 600), width, { size: noticeSize, weight: 600 }, 2)
      .map(text => ({ text, weight: 600 as const, fill: colors.text })),
    ...fonts
      .wrap(fonts.drawable(hint), width, { size: noticeSize }, 4)
      .map(text => ({ text, weight: 400 as const, fill: colors.muted })),
  ];
  const top = Math.max(0, (height - lines.length * 20) / 2);
  const nodes: SvgElement[] = lines.map(({ text, weight, fill }, index) =>
    textLine(context, text, {
      x: width / 2,
      y: top + 15 + index * 20,
      size: noticeSize,
      anchor: 'middle',
      weight,
      fill,
    }),
  );
  return { node: element('g', {}, nodes), description: `${title}. ${hint}`, notes: [] };
}
