import type { ModelTarget } from '../../auth/model-target.js';
import type { SecurityContext } from '../../auth/principal.js';
import type { DashboardQueries } from '../../content/dashboards/dashboard-queries.js';
import { PlatformError } from '../../errors.js';
import { type AccountConfig, isAiAllowed } from '../../settings/account-settings.js';
import type { StoredNotification } from '../notification-store.js';

/**
 * Writes a summary of the rows of one recipient, as paragraphs of plain text; returns none if no report can be
 * described.
 * @throws PlatformError if it fails
 */
export type WriteSummary = (input: {
  readonly dashboard: DashboardQueries;
  /** The permissions with which the rows are read. */
  readonly context: SecurityContext;
  readonly target: ModelTarget;
  readonly now: Date;
  readonly timezone: string;
  readonly locale: string;
  readonly signal: AbortSignal;
}) => Promise<readonly string[]>;

/** The summary of a message, or the reason why it has none. */
export type MailSummary =
  | { readonly paragraphs: readonly string[] }
  | { readonly missing: 'summaryDisabled' | 'summaryEmpty' | 'summaryFailed' };

/** Time limit in ms. A summary that takes longer is omitted. */
const timeoutMs = 60_000;

interface SummaryOptions {
  readonly queries: DashboardQueries;
  readonly context: SecurityContext;
  readonly target: ModelTarget;
  readonly notification: StoredNotification;
  readonly account: AccountConfig;
  readonly locale: string;
  readonly scheduledAt: Date;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Returns the summary of a message with the permissions of its recipient; `null` if the notification requests none. A
 * message is sent even if its summary fails.
 */
export async function summaryOf(write: WriteSummary, options: SummaryOptions): Promise<MailSummary | null> {
  const { queries, context, target, notification, account, locale, scheduledAt, onFailure } = options;
  if (!notification.notificationAiSummary) return null;
  if (!isAiAllowed({}, account)) return { missing: 'summaryDisabled' };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const { timezone } = notification;
  try {
    const paragraphs = await write({ dashboard: queries, context, target, now: scheduledAt, timezone, locale, signal });
    return paragraphs.length === 0 ? { missing: 'summaryEmpty' } : { paragraphs };
  } catch (error) {
    if (options.signal.aborted) throw error;
    // Do not report failures of the language model again.
    if (!(error instanceof PlatformError) && !signal.aborted) onFailure(error);
    return { missing: 'summaryFailed' };
  }
}
