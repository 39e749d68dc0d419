import type { AiWidget } from '../../../contract/ai-widgets.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import { fileName } from '../../../report/format/file-name.js';
import type { ReportData } from '../../http/route-deps.js';
import type { AccountConfig } from '../../settings/account-settings.js';
import type { StoredNotification } from '../notification-store.js';
import { rowSourceOf } from '../row-source.js';
import { controlsOf } from './load-tiles.js';
import type { MailFile } from './mail-sender.js';

/** Input from which a file is rendered. */
export interface RenderFileOptions {
  /** The dashboard, with the user attributes of the recipient. */
  readonly dashboard: Dashboard;
  readonly data: ReportData;
  /** Answers pinned to the dashboard, as the recipient sees them. */
  readonly aiWidgets: readonly AiWidget[];
  readonly notification: StoredNotification;
  readonly account: AccountConfig;
  readonly scheduledAt: Date;
  readonly signal: AbortSignal;
}

/**
 * Width of the dashboard in CSS px, and device pixels per px. The image is sharp on phones and has a few hundred
 * kilobytes.
 */
const imageOptions = { width: 1000, scale: 1.5 } as const;
const timeoutMs = 120_000;

/**
 * Renders the whole dashboard in the format of the notification, with the permissions of a recipient. Images have a
 * `cid`, so that the message displays them.
 */
export async function renderFile(options: RenderFileOptions): Promise<MailFile> {
  const { dashboard, data, notification, account, aiWidgets, scheduledAt, signal } = options;
  const { renderDashboard } = await import('../../../render/render-dashboard.js');
  const isImage = notification.notificationFormat !== 'pdf';
  const { content, mediaType, extension, title } = await renderDashboard({
    dashboard,
    ...rowSourceOf(data),
    aiWidgets,
    controls: controlsOf(notification),
    locale: notification.locale ?? account.embedding.locale ?? 'en',
    timeZone: notification.timezone,
    theme: { account },
    output: isImage ? 'png' : 'pdf',
    ...imageOptions,
    now: scheduledAt,
    signal,
    timeoutMs,
  });
  return {
    filename: `${fileName(title, 'dashboard')}.${extension}`,
    contentType: mediaType,
    content,
    ...(isImage && { cid: 'dashboard' }),
  };
}
