import { html } from 'hono/html';
import { createFormatter } from '../../../report/format/format.js';
import { type Table, toTable } from '../../../report/table/table.js';
import type { MailTile } from './load-tiles.js';
import { mailMessages } from './mail-messages.js';
import { type MailContent, type MailFile, singleLine } from './mail-sender.js';
import type { MailSummary } from './summary.js';

/** The dashboard that a message contains, with its rendered tiles. */
export interface MailDashboard {
  readonly title: string;
  readonly tiles: readonly MailTile[];
  /**
   * The whole dashboard; `null` if it could not be rendered. A file with a `cid` is displayed instead of the tables.
   */
  readonly file: MailFile | null;
  /** Description of the schedule in words. */
  readonly schedule: string;
  readonly scheduledAt: Date;
  readonly timeZone: string;
  readonly locale: string;
  /** The summary; `null` if the notification requests none. */
  readonly summary: MailSummary | null;
}

/** Number of rows of one report in the body of a message. */
const maxBodyRows = 50;
/** Maximum number of reports, and of cells of all reports, in the body of a message. */
const maxBodyReports = 50;
const maxBodyCells = 6_000;

/** Styles are attributes, because many mail clients ignore style sheets. */
const styles = {
  body: 'margin:0;padding:24px;background:#f6f7f9;color:#1f2933;font:14px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  page: 'max-width:720px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px',
  title: 'margin:0 0 4px;font-size:20px;line-height:1.3',
  time: 'margin:0 0 24px;color:#52606d',
  tile: 'margin:24px 0 8px;font-size:15px',
  table: 'border-collapse:collapse;width:100%;font-size:13px',
  head: 'padding:6px 8px;border-bottom:2px solid #cbd2d9;color:#52606d;font-weight:600',
  cell: 'padding:6px 8px;border-bottom:1px solid #e4e7eb',
  note: 'margin:8px 0;color:#52606d',
  summary: 'margin:8px 0',
  image: 'display:block;width:100%;max-width:720px;height:auto;border:0',
  foot: 'margin:32px 0 0;padding-top:16px;border-top:1px solid #e4e7eb;color:#52606d;font-size:12px',
} as const;

/** Function that returns the message for a recipient. Only its last line differs. */
export type MailTemplate = (unsubscribeUrl: string | null) => MailContent;

interface TileTable {
  readonly title: string;
  readonly table: Table | null;
}

/**
 * Composes the message of a dashboard, with an HTML part that loads no external content, and a text part with the same
 * content.
 */
export function composeMail(dashboard: MailDashboard): MailTemplate {
  const { title, tiles, file, schedule, scheduledAt, timeZone, locale } = dashboard;
  const text = mailMessages(locale);
  const formatter = createFormatter(locale);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(scheduledAt);
  const tables = bodyTables(
    tiles.map(({ title, rowSet }): TileTable => ({ title, table: rowSet && toTable(rowSet, { formatter }) })),
  );
  const rest = tiles.length - tables.length;
  const more = rest > 0 ? [text('moreReports', { count: rest })] : [];
  const notes = file === null ? [text('noFile')] : [];
  const empty = tables.length === 0 ? [text('nothing')] : [];
  const summaryPart = dashboard.summary && summaryOf(dashboard.summary, locale);
  const content =
    file?.cid === undefined
      ? [
          ...[...notes, ...empty].map(note => html`<p style="${styles.note}">${note}</p>`),
          ...tables.map(tile => tileHtml(tile, locale)),
          ...more.map(note => html`<p style="${styles.note}">${note}</p>`),
        ]
      : [html`<img src="cid:${file.cid}" alt="${title}" style="${styles.image}">`];
  const body = [summaryPart?.html ?? '', ...content];
  const lines = [
    ...(summaryPart?.lines ?? []),
    ...notes,
    ...empty,
    ...tables.map(tile => tileText(tile, locale)),
    ...more,
  ];
  const reason = text('reason', { schedule });
  return unsubscribeUrl => ({
    subject: title,
    html: documentOf({ title, time, locale, body, reason, unsubscribeUrl }),
    text: [plain(title), time, '', ...lines, '--', reason, ...linkText(text('unsubscribe'), unsubscribeUrl), ''].join(
      '\n',
    ),
    files: file ? [file] : [],
  });
}

/** Returns the first reports, up to the limits of a body. */
function bodyTables(tables: readonly TileTable[]): readonly TileTable[] {
  let cells = 0;
  const end = tables.findIndex(({ table }, index) => {
    cells += table ? Math.min(table.rowCount, maxBodyRows) * table.columns.length : 0;
    return index >= maxBodyReports || (index > 0 && cells > maxBodyCells);
  });
  return end < 0 ? tables : tables.slice(0, end);
}

/** Returns the part of a message that contains the summary, or the reason why there is none. */
function summaryOf(
  summary: MailSummary,
  locale: string,
): { readonly html: Fragment; readonly lines: readonly string[] } {
  const text = mailMessages(locale);
  if ('missing' in summary) {
    const reason = text(summary.missing);
    return { html: html`<p style="${styles.note}">${reason}</p>`, lines: [reason, ''] };
  }
  const [heading, note] = [text('summary'), text('summaryNote')];
  return {
    html: html`<h2 style="${styles.tile}">${heading}</h2>
${summary.paragraphs.map(paragraph => html`<p style="${styles.summary}" dir="auto">${paragraph}</p>`)}
<p style="${styles.note}">${note}</p>`,
    lines: [heading, ...summary.paragraphs.map(plain), note, ''],
  };
}

/** Returns the message to the owner of a notification about deliveries that failed permanently. */
export function composeFailureNotice({
  title,
  total,
  failures,
  schedule,
  locale,
}: {
  readonly title: string;
  readonly total: number;
  readonly failures: readonly { readonly address: string; readonly problem: string }[];
  readonly schedule: string;
  readonly locale: string;
}): MailContent {
  const text = mailMessages(locale);
  const summary = text('failureText', { failed: failures.length, total, title });
  const listed = failures.slice(0, maxBodyRows);
  const rest = failures.length - listed.length;
  const body = [
    html`<p>${summary}</p>`,
    html`<ul>${listed.map(({ address, problem }) => html`<li>${address}: ${problem}</li>`)}</ul>`,
    rest > 0 ? html`<p style="${styles.note}">+ ${rest}</p>` : '',
  ];
  return {
    subject: text('failureSubject', { title }),
    html: documentOf({ title, time: schedule, locale, body, reason: '', unsubscribeUrl: null }),
    text: [
      plain(summary),
      '',
      ...listed.map(({ address, problem }) => `- ${plain(address)}: ${plain(problem)}`),
      ...(rest > 0 ? [`+ ${rest}`] : []),
      '',
      plain(schedule),
      '',
    ].join('\n'),
    files: [],
  };
}

/** Returns the message to a user whom a comment mentions. */
export function composeMention({
  title,
  author,
  comment,
  createdAt,
  locale,
}: {
  readonly title: string;
  readonly author: string;
  readonly comment: string;
  readonly createdAt: Date;
  readonly locale: string;
}): MailContent {
  const text = mailMessages(locale);
  const heading = text('mentioned', { author, title });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const at = `${time.format(createdAt)} UTC`;
  const lines = comment.split(/\r?\n/);
  const reason = text('mentionReason');
  return {
    subject: heading,
    html: documentOf({
      title: heading,
      time: at,
      locale,
      body: lines.map(line => html`<p style="${styles.summary}" dir="auto">${line}</p>`),
      reason,
      unsubscribeUrl: null,
    }),
    text: [plain(heading), at, '', ...lines.map(plain), '', '--', reason, ''].join('\n'),
    files: [],
  };
}

type Fragment = ReturnType<typeof html> | string;

function documentOf(page: {
  readonly title: string;
  readonly time: string;
  readonly locale: string;
  readonly body: readonly Fragment[];
  readonly reason: string;
  readonly unsubscribeUrl: string | null;
}): string {
  const { title, time, locale, body, reason, unsubscribeUrl } = page;
  const direction = /^(ar|he|fa|ur)\b/.test(locale) ? 'rtl' : 'ltr';
  const link =
    unsubscribeUrl === null
      ? ''
      : html` <a href="${unsubscribeUrl}" style="color:#52606d">${mailMessages(locale)('unsubscribe')}</a>`;
  return textOf(html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="${styles.body}"><div style="${styles.page}">
<h1 style="${styles.title}">${title}</h1>
<p style="${styles.time}">${time}</p>
${body}
<p style="${styles.foot}">${reason}${link}</p>
</div></body>
</html>
`);
}

/** Returns a fragment as text. The cast is safe, because fragments of this module contain no promises. */
function textOf(fragment: ReturnType<typeof html>): string {
  if (fragment instanceof Promise) throw new TypeError('A message must not contain promises.');
  return String(fragment);
}

function tileHtml({ title, table }: TileTable, locale: string): Fragment {
  const text = mailMessages(locale);
  const heading = html`<h2 style="${styles.tile}">${title}</h2>`;
  if (!table) return html`${heading}<p style="${styles.note}">${text('failed')}</p>`;
  if (table.rowCount === 0) return html`${heading}<p style="${styles.note}">${text('noRows')}</p>`;
  const rest = table.rowCount - maxBodyRows;
  return html`${heading}<table style="${styles.table}"><thead><tr>${table.columns.map(
    ({ title, align }) => html`<th align="${align}" style="${styles.head};text-align:${align}">${title}</th>`,
  )}</tr></thead><tbody>${rowsOf(table).map(
    cells =>
      html`<tr>${cells.map(
        (cell, index) =>
          html`<td style="${styles.cell};text-align:${table.columns[index]?.align ?? 'start'}">${cell}</td>`,
      )}</tr>`,
  )}</tbody></table>${rest > 0 ? html`<p style="${styles.note}">${text('moreRows', { count: rest })}</p>` : ''}`;
}

function tileText({ title, table }: TileTable, locale: string): string {
  const text = mailMessages(locale);
  if (!table) return `${plain(title)}\n${text('failed')}\n`;
  if (table.rowCount === 0) return `${plain(title)}\n${text('noRows')}\n`;
  const rest = table.rowCount - maxBodyRows;
  const lines = [table.columns.map(({ title }) => title), ...rowsOf(table)].map(cells => cells.map(plain).join(' | '));
  return [plain(title), ...lines, ...(rest > 0 ? [text('moreRows', { count: rest })] : []), ''].join('\n');
}

function rowsOf(table: Table): string[][] {
  const count = Math.min(table.rowCount, maxBodyRows);
  return Array.from({ length: count }, (_, index) => (table.row(index)?.cells ?? []).map(({ text }) => text));
}

function linkText(title: string, url: string | null): string[] {
  return url === null ? [] : [`${title}: ${url}`];
}

const plain = (text: string): string => singleLine(text, Number.POSITIVE_INFINITY);
