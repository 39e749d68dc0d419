import { randomUUID } from 'node:crypto';
import type { Dashboard } from '../../contract/dashboards.js';
import { productionOf } from '../auth/model-target.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import type { ReportData, RouteDeps } from '../http/route-deps.js';
import type { JobHandler } from '../jobs/job-queue.js';
import { enqueueJob } from '../jobs/job-store.js';
import { backOff, retry } from '../runtime/retry.js';
import { accountConfig } from '../settings/account-settings.js';
import { evaluateAlert } from './alert.js';
import { type ChannelSenders, sendToChannel } from './channels/channel.js';
import { findHolds, previousValue, recordEvaluation } from './evaluation-store.js';
import { composeFailureNotice, composeMail, type MailTemplate } from './mail/compose-mail.js';
import { loadTiles, type MailTile } from './mail/load-tiles.js';
import { mailboxOf } from './mail/mail-options.js';
import type { MailContent, MailFile, MailSender, OutgoingMail, SendResult } from './mail/mail-sender.js';
import { type RenderFileOptions, renderFile } from './mail/render-file.js';
import { type MailSummary, summaryOf, type WriteSummary } from './mail/summary.js';
import { findDashboardRef } from './notification-store.js';
import { findRecipientDashboard, groupByContext, type RecipientGroup } from './recipient-contexts.js';
import { pinnedAnswers } from './row-source.js';
import * as store from './run-store.js';
import { describeCron } from './schedule.js';

/** Dependencies of the handler that delivers runs. */
export interface DeliveryDeps {
  readonly db: Db;
  readonly sender: MailSender;
  readonly channels: ChannelSenders;
  readonly dataOf: RouteDeps['dataOf'];
  readonly writeSummary: WriteSummary;
  /** Address with which a recipient ends the subscription. */
  readonly unsubscribeUrl: (notificationId: number, userId: number) => string;
  /** Called with errors of the renderer. The message is sent without the file. */
  readonly onFailure: (error: unknown) => void;
  /** Called for each rendering and each result, for metrics. */
  readonly onEvent?: (event: DeliveryEvent) => void;
}

/** An event during a delivery. */
export type DeliveryEvent = 'rendered' | 'sent' | 'failed' | 'dead' | 'skipped';

const maxAttempts = 8;
const firstRetryMs = 60_000;
const maxRetryMs = 3_600_000;
/** Time in ms after which the rest of a run continues in a new job, so that long runs do not block other jobs. */
const sliceMs = 30_000;
/**
 * Like the previous limit, but checked between the messages of a group. Higher, because the next job must render the
 * group again.
 */
const maxSliceMs = 300_000;

/** Creates the handler of the jobs that deliver runs. Idempotent, because final deliveries are not repeated. */
export function deliveryHandler(deps: DeliveryDeps): JobHandler {
  const { db } = deps;
  return {
    async run({ runId }, signal) {
      const open = await store.findOpenRun(db, Number(runId));
      if (open) await new RunDelivery(deps, open, signal).deliver();
    },
    async failPermanently({ runId }) {
      const open = await store.findOpenRun(db, Number(runId));
      if (!open) return;
      await db.transaction(async tx => {
        await store.failDeliveries(tx, open.run.id, 'The delivery failed repeatedly. See the log of the platform.');
        // Do not send a notice if an earlier notice failed permanently.
        if (await addNotice(tx, open)) await enqueueJob(tx, store.deliveryKind, { runId: open.run.id });
        else await store.endRun(tx, open.run.id);
      });
    },
  };
}

type Group = RecipientGroup<store.ClaimedDelivery>;
const isMail = ({ channel }: store.ClaimedDelivery) => channel === null;
type Attempted = Pick<store.ClaimedDelivery, 'id' | 'attempts'>;
/** A message that was handed over, and its result. */
type Attempt = Attempted & { readonly result: SendResult };
/** `unavailable`: the mail server or channel is unavailable. `stopped`: another job sends the remaining messages. */
type Progress = 'done' | 'unavailable' | 'stopped';

/** The rendered dashboard in the messages of one group. */
interface Rendered {
  readonly template: MailTemplate;
  readonly reports: readonly MailTile[];
  readonly summary: MailSummary | null;
}

/** One attempt to deliver a run. */
class RunDelivery {
  readonly #deps: DeliveryDeps;
  readonly #open: store.OpenRun;
  readonly #signal: AbortSignal;
  readonly #claim = randomUUID();
  readonly #startedAt = Date.now();
  /** Whether the rest of the run needs another job. */
  #isUnfinished = false;

  constructor(deps: DeliveryDeps, open: store.OpenRun, signal: AbortSignal) {
    this.#deps = deps;
    this.#open = open;
    this.#signal = signal;
  }

  async deliver(): Promise<void> {
    const { db } = this.#deps;
    const { run } = this.#open;
    try {
      // A request to send now applies to disabled notifications too.
      const isCanceled = run.trigger === 'schedule' && !store.isActive(this.#open.notification);
      if (isCanceled) await store.cancelDeliveries(db, [run.id]);
      const claimed = await store.claimDeliveries(db, run.id, this.#claim);
      const kept = claimed.map(({ id }) => id);
      await store.dropUnsubscribed(db, run.id, this.#claim, kept);
      await this.#deliverDashboard(claimed.filter(({ purpose }) => purpose === 'dashboard'));
      await this.#notifyOwner();
      await this.#deliverNotices(claimed.filter(({ purpose }) => purpose === 'failure-notice'));
    } finally {
      // Affects only deliveries that this attempt has claimed. If the statement fails, the next attempt claims them
      // anyway.
      await store.releaseDeliveries(db, run.id, this.#claim);
    }
    // Enqueues the next job only after all results are recorded, because that job takes over all deliveries in
    // progress.
    if (this.#isUnfinished) await enqueueJob(db, store.deliveryKind, { runId: run.id });
    else await store.endRun(db, run.id);
  }

  async #deliverDashboard(deliveries: readonly store.ClaimedDelivery[]): Promise<void> {
    const exhausted = deliveries.filter(({ attempts }) => attempts >= maxAttempts);
    const problem = 'All attempts to send the message failed.';
    await this.#record(exhausted, { kind: 'postponed', responseCode: null, problem });
    const rest = deliveries.filter(each => !exhausted.includes(each));
    for (const group of await groupByContext(this.#deps.db, rest)) {
      if ((await this.#deliverGroup(group)) === 'done') continue;
      return;
    }
  }

  /** Renders the dashboard for one group and sends it. */
  async #deliverGroup(group: Group): Promise<Progress> {
    const { unsubscribeUrl } = this.#deps;
    const { notification } = this.#open;
    if (await this.#isOver(sliceMs)) return 'stopped';
    const readers = await this.#readers(group);
    const [first] = readers;
    if (!first) return 'done';
    const deliveries = readers.map(({ delivery }) => delivery);
    if (!(await this.#alertHolds(first.dashboard, group, deliveries))) return 'done';
    const rendered = await this.#render(first.dashboard, group, deliveries);
    if (!rendered) return 'done';
    // Channels come first, so that they do not wait for an unavailable mail server.
    const [channels, mails] = [deliveries.filter(each => each.channel !== null), deliveries.filter(isMail)];
    const { template, reports, summary } = rendered;
    const { subject: title, text, files } = template(null);
    const { publicId } = first.dashboard;
    const sent = await this.#send(channels, ({ messageId, channel }) =>
      sendToChannel(this.#deps.channels, channel ?? '', {
        messageId,
        notificationId: notification.id,
        dashboardPublicId: publicId,
        title,
        scheduledAt: this.#open.run.scheduledAt,
        isTest: this.#open.run.trigger === 'test',
        text,
        summary: summary && 'paragraphs' in summary ? summary.paragraphs : null,
        reports,
        files,
      }),
    );
    if (sent !== 'done') return sent;
    return this.#mail(mails, ({ userId }) => {
      const url = unsubscribeUrl(notification.id, userId ?? 0);
      return { ...template(url), unsubscribeUrl: url };
    });
  }

  /** True if this attempt must stop: after an abort, or because the rest of the run is left to the next job. */
  async #isOver(afterMs: number): Promise<boolean> {
    if (this.#signal.aborted) return true;
    if (Date.now() - this.#startedAt < afterMs) return false;
    this.#isUnfinished = true;
    return true;
  }

  /** Returns the members of a group who may read the dashboard. Records the deliveries of the others as failed. */
  async #readers({ recipients }: Group) {
    const { db } = this.#deps;
    const { notification } = this.#open;
    const ref = await findDashboardRef(db, notification.dashboardId);
    const known = new Map<number | null, Dashboard | null>();
    const readers: { readonly delivery: store.ClaimedDelivery; readonly dashboard: Dashboard }[] = [];
    for (const delivery of recipients) {
      // All members of a tenant may read the same dashboards, except those that they own.
      const { embedTenantId, userId } = delivery;
      const isOwner = (userId !== null && ref?.createdBy === userId) || embedTenantId === null;
      const shared = isOwner ? undefined : known.get(embedTenantId);
      const at = { deploymentId: notification.deploymentId, publicId: ref?.publicId ?? '' };
      const dashboard = shared === undefined ? await findRecipientDashboard(db, delivery, at) : shared;
      if (!isOwner) known.set(embedTenantId, dashboard);
      if (dashboard) readers.push({ delivery, dashboard });
      else await this.#record([delivery], { kind: 'rejected', responseCode: null, problem: notShared });
    }
    return readers;
  }

  /** Evaluates the alert once per run. Records the deliveries as skipped if its condition is not met. */
  async #alertHolds(
    dashboard: Dashboard,
    { key, context }: Group,
    deliveries: readonly store.ClaimedDelivery[],
  ): Promise<boolean> {
    const { db, dataOf } = this.#deps;
    const { notification, run } = this.#open;
    if (!notification.alert) return true;
    const place = { run, contextKey: key };
    const evaluation = {
      embedTenantId: deliveries[0]?.embedTenantId ?? null,
      recipientCount: deliveries.length,
    };
    try {
      const known = await findHolds(db, place);
      const data = requireData(dataOf(context, productionOf(notification)));
      const withAttributes = { ...dashboard, userAttributes: context.platform.userAttributes };
      const holds =
        known ??
        (await recordEvaluation(db, place, {
          ...evaluation,
          problem: null,
          ...(await evaluateAlert(notification.alert, withAttributes, {
            data,
            notification,
            previous: await previousValue(db, place),
            signal: this.#signal,
          })),
        }));
      if (holds) return true;
      for (const { id } of deliveries) {
        const problem = 'The condition of the alert is not met.';
        await store.recordResult(db, id, this.#claim, { state: 'skipped', responseCode: null, problem });
        this.#deps.onEvent?.('skipped');
      }
    } catch (error) {
      if (this.#signal.aborted) throw error;
      const problem = error instanceof PlatformError ? error.message : 'The alert could not be evaluated.';
      await recordEvaluation(db, place, { ...evaluation, holds: null, value: null, previousValue: null, problem });
      await this.#fail(deliveries, { kind: 'postponed', responseCode: null, problem });
    }
    return false;
  }

  async #render(
    dashboard: Dashboard,
    { context }: Group,
    deliveries: readonly store.ClaimedDelivery[],
  ): Promise<Rendered | null> {
    const { db, dataOf, onEvent } = this.#deps;
    const { notification, run } = this.#open;
    try {
      const data = requireData(dataOf(context, productionOf(notification)));
      const withAttributes = { ...dashboard, userAttributes: context.platform.userAttributes };
      const account = await accountConfig(db);
      const aiWidgets = await pinnedAnswers(db, dashboard, { data, account, signal: this.#signal });
      const { tiles, queries } = await loadTiles(withAttributes, {
        data,
        aiWidgets,
        notification,
        signal: this.#signal,
      });
      const locale = notification.locale ?? account.embedding.locale ?? 'en';
      const { scheduledAt } = run;
      const { onFailure, writeSummary } = this.#deps;
      const summary = await summaryOf(writeSummary, {
        notification,
        context,
        target: productionOf(notification),
        queries,
        account,
        locale,
        scheduledAt,
        onFailure,
        signal: this.#signal,
      });
      const file = await this.#renderFile({ dashboard: withAttributes, data, aiWidgets, account });
      onEvent?.('rendered');
      const template = composeMail({
        title: dashboard.title ?? '',
        tiles,
        file,
        schedule: describeCron(notification.cronExpression, notification.timezone),
        scheduledAt,
        timeZone: notification.timezone,
        locale,
        summary,
      });
      return { template, reports: tiles, summary };
    } catch (error) {
      if (this.#signal.aborted) throw error;
      const problem = error instanceof PlatformError ? error.message : 'The dashboard could not be rendered.';
      await this.#fail(deliveries, { kind: 'postponed', responseCode: null, problem });
      return null;
    }
  }

  /** Renders the file of a message; `null` if that fails, because the rows are delivered without it. */
  async #renderFile(
    options: Pick<RenderFileOptions, 'dashboard' | 'data' | 'aiWidgets' | 'account'>,
  ): Promise<MailFile | null> {
    const { notification, run } = this.#open;
    try {
      return await renderFile({ ...options, notification, scheduledAt: run.scheduledAt, signal: this.#signal });
    } catch (error) {
      if (this.#signal.aborted) throw error;
      this.#deps.onFailure(error);
      return null;
    }
  }

  /** Mails each recipient. */
  #mail(
    deliveries: readonly store.ClaimedDelivery[],
    contentFor: (delivery: store.ClaimedDelivery) => MailContent & Pick<OutgoingMail, 'unsubscribeUrl'>,
  ): Promise<Progress> {
    const { sender } = this.#deps;
    return this.#send(deliveries, next =>
      sender.send({ ...contentFor(next), to: addressOf(next), messageId: next.messageId }),
    );
  }

  /** Hands over messages one at a time. If no message can be sent now, postpones the mails of the run. */
  async #send(
    deliveries: readonly store.ClaimedDelivery[],
    handOver: (delivery: store.ClaimedDelivery) => Promise<SendResult>,
  ): Promise<Progress> {
    const { db } = this.#deps;
    let last = null as Attempt | null;
    for (const delivery of [...deliveries, null]) {
      const failure: SendResult | null = last?.result.kind === 'unavailable' ? last.result : null;
      const next: store.ClaimedDelivery | null =
        delivery === null || failure || (await this.#isOver(maxSliceMs)) ? null : delivery;
      // Records the result of the last message and the start of the next one in one transaction, which halves the time.
      const isBegun = await this.#advance(last, next);
      last = null;
      if (failure) {
        await this.#fail(await store.listClaimedMails(db, this.#open.run.id, this.#claim), failure);
        return 'unavailable';
      }
      if (next === null) return delivery === null ? 'done' : 'stopped';
      if (!isBegun) continue;
      const result = await handOver(next);
      last = { id: next.id, attempts: next.attempts + 1, result };
    }
    return 'done';
  }

  /**
   * Records the result of a message and marks the next one as handed over. Returns false if the next one must not be
   * sent, because another process has claimed it. If recording a result fails, the message is sent again.
   */
  async #advance(last: Attempt | null, next: Pick<store.ClaimedDelivery, 'id'> | null): Promise<boolean> {
    const { db, onEvent } = this.#deps;
    const outcome = last && outcomeOf(last.result, last.attempts);
    const policy = { maxAttempts: 5, isRetryable: () => true, pauseMs: () => 500 };
    const transaction = () =>
      db.transaction(async tx => {
        if (last && outcome) await store.recordResult(tx, last.id, this.#claim, outcome);
        return next !== null && (await store.beginHandOver(tx, next.id, this.#claim));
      });
    const isBegun = last || next ? await retry(transaction, policy) : false;
    if (outcome) onEvent?.(outcome.state);
    return isBegun;
  }

  /** Records a failed attempt of deliveries that were not handed over. */
  async #fail(deliveries: readonly Attempted[], result: SendResult): Promise<void> {
    const ids = deliveries.map(({ id }) => id);
    await store.countAttempt(this.#deps.db, ids, this.#claim);
    await this.#record(
      deliveries.map(({ id, attempts }) => ({ id, attempts: attempts + 1 })),
      result,
    );
  }

  async #record(deliveries: readonly Attempted[], result: SendResult): Promise<void> {
    const { db, onEvent } = this.#deps;
    for (const { id, attempts } of deliveries) {
      const outcome = outcomeOf(result, attempts);
      await store.recordResult(db, id, this.#claim, outcome);
      onEvent?.(outcome.state);
    }
  }

  async #notifyOwner(): Promise<void> {
    if (await addNotice(this.#deps.db, this.#open)) this.#isUnfinished = true;
  }

  async #deliverNotices(deliveries: readonly store.ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { db } = this.#deps;
    const { run, notification } = this.#open;
    const ref = await findDashboardRef(db, notification.dashboardId);
    const failures = await store.listFailures(db, run.id);
    const counts = await store.countDeliveries(db, run.id, 'dashboard');
    const { embedding } = await accountConfig(db);
    const content = composeFailureNotice({
      title: ref?.title ?? '',
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      failures: failures.map(failure => ({
        address: failure.channel ?? addressOf(failure),
        problem: failure.problem ?? '',
      })),
      schedule: describeCron(notification.cronExpression, notification.timezone),
      locale: embedding.locale ?? 'en',
    });
    await this.#mail(deliveries, () => ({ ...content, unsubscribeUrl: null }));
  }
}

/**
 * Adds the failure notice to the owner if all deliveries are final and some failed. Returns false if no notice is
 * added.
 */
async function addNotice(db: Db, { run, notification: { createdBy } }: store.OpenRun): Promise<boolean> {
  const counts = await store.countDeliveries(db, run.id, 'dashboard');
  const open = (counts.pending ?? 0) + (counts.rendering ?? 0) + (counts['handing-over'] ?? 0) + (counts.failed ?? 0);
  // A request to send now returns the results to its caller, so no notice is needed.
  if (createdBy === null || run.trigger === 'test' || open > 0 || !counts.dead) return false;
  return (await store.addDeliveries(db, run, 'failure-notice', [{ userId: createdBy, channel: null }])) > 0;
}

const notShared = 'The recipient has no access to the dashboard: it is not shared, or its embedding is disabled.';

function requireData(data: ReportData | null): ReportData {
  if (data) return data;
  throw new PlatformError(503, 'This platform serves no semantic model. Start it with --model and a data source.');
}

/** Returns the address of a recipient: its email, or its external id if that is an email address. */
function addressOf(user: Pick<store.ClaimedDelivery, 'email' | 'externalId'>): string {
  return mailboxOf(user) ?? user.email ?? user.externalId ?? '';
}

function outcomeOf(result: SendResult, attempts: number): store.DeliveryResult {
  const { kind, responseCode } = result;
  if (kind === 'accepted') return { state: 'sent', responseCode };
  const { problem } = result;
  if (kind === 'rejected' || attempts >= maxAttempts) return { state: 'dead', responseCode, problem };
  const retryInMs = backOff(Math.max(attempts, 1), firstRetryMs, maxRetryMs);
  return { state: 'failed', responseCode, problem, retryInMs };
}
