import type { ExportFailure } from '../../../contract/dashboard-exports.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { JsonObject } from '../../../contract/wire.js';
import { productionOf } from '../../auth/model-target.js';
import type { SecurityContext } from '../../auth/principal.js';
import { findViewerDashboard } from '../../content/dashboards/viewer-dashboards.js';
import type { Db } from '../../db/database.js';
import type { RouteDeps } from '../../http/route-deps.js';
import type { JobHandler } from '../../jobs/job-queue.js';
import { accountConfig } from '../../settings/account-settings.js';
import { controlsOf } from '../mail/load-tiles.js';
import { findDashboardRef } from '../notification-store.js';
import { findRecipientDashboard, groupByContext } from '../recipient-contexts.js';
import { pinnedAnswers, rowSourceOf } from '../row-source.js';
import * as store from './export-store.js';

/** Dependencies of the job handler that renders exports. */
interface ExportDeps {
  readonly db: Db;
  readonly dataOf: RouteDeps['dataOf'];
  /** Called with errors of the renderer. The export then fails without their message. */
  readonly onFailure: (error: unknown) => void;
}

/** Time limits for the rows of all tiles and for the whole file, in ms. An export is deleted after 5 minutes. */
const rowsMs = 60_000;
const fileMs = 240_000;
const maxBytes = 50 * 1024 * 1024;
/** Minimum progress change to store, in percentage points. */
const progressStep = 10;

/** Creates the handler of the jobs that render exports. Idempotent, because an export ends only once. */
export function exportHandler(deps: ExportDeps): JobHandler {
  const { db, onFailure } = deps;
  const fail = (exportId: unknown) =>
    store.updateExport(db, String(exportId), { status: 'failed', error: 'export_failed' });
  return {
    async run({ exportId }, signal) {
      const taken = await store.takeExport(db, String(exportId));
      // Marks the export as failed, so that its page gets this state if it polls again.
      if (!taken) return fail(exportId);
      const watch = watchExport(db, taken.id, signal);
      try {
        const file = await render(deps, taken, watch.signal);
        await store.updateExport(db, taken.id, { ...file, status: 'completed', progress: 100 });
      } catch (error) {
        // Throw the error again, so that another attempt renders the file.
        if (signal.aborted) throw error;
        if (watch.signal.aborted) return fail(taken.id);
        const failure = failureOf(error);
        if (failure === 'export_failed') onFailure(error);
        await store.updateExport(db, taken.id, { status: 'failed', error: failure });
      } finally {
        watch.stop();
      }
    },
    failPermanently: ({ exportId }) => fail(exportId),
  };
}

/** Thrown if an export cannot succeed for a reason that its caller may know. */
class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly failure: ExportFailure;

  constructor(failure: ExportFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** Returns the stored reason of a failed export. */
function failureOf(error: unknown): ExportFailure {
  if (error instanceof ExportError) return error.failure;
  if (!(error instanceof Error)) return 'export_failed';
  if (error.name === 'TimeoutError') return 'export_too_slow';
  return error.name === 'RenderError' ? 'export_widget_unknown' : 'export_failed';
}

/** Interval at which a job checks whether its export was canceled, in ms. */
const checkEveryMs = 1_000;

/** Returns a signal that aborts if the export is canceled, or its page no longer waits. */
function watchExport(
  db: Db,
  id: string,
  signal: AbortSignal,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const canceled = new AbortController();
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      if (!(await store.isExportWanted(db, id))) canceled.abort();
    } catch {
      // Ignore the error, because the next check decides whether to stop.
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => void check(), checkEveryMs);
  return { signal: AbortSignal.any([signal, canceled.signal]), stop: () => clearInterval(timer) };
}

async function render(
  { db, dataOf }: ExportDeps,
  stored: store.StoredExport,
  signal: AbortSignal,
): Promise<{ readonly content: Uint8Array; readonly contentType: string }> {
  const [dashboard, context] = [await readableDashboard(db, stored), await contextOf(db, stored)];
  const data = dataOf(context, productionOf(stored));
  if (!data) throw new ExportError('export_no_model');
  const account = await accountConfig(db);
  const { settings, theme } = stored.subject;
  const { renderDashboard } = await import('../../../render/render-dashboard.js');
  const { content, mediaType } = await renderDashboard({
    dashboard: { ...dashboard, userAttributes: context.platform.userAttributes },
    ...rowSourceOf(data),
    aiWidgets: await pinnedAnswers(db, dashboard, { data, account, settings, signal }),
    controls: withCleared(controlsOf(storedControls(stored.controls))),
    widgetId: text(stored.controls.widgetId),
    reportId: reportIdOf(stored.controls.reportId),
    locale: text(stored.controls.locale) ?? settings?.locale ?? account.embedding.locale ?? 'en',
    timeZone: text(stored.controls.timezone) ?? settings?.timezone ?? undefined,
    theme: { account, session: theme },
    output: stored.format,
    signal: AbortSignal.any([signal, AbortSignal.timeout(fileMs)]),
    timeoutMs: rowsMs,
    onProgress: progressWriter(db, stored.id),
  });
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  if (bytes.byteLength > maxBytes) throw new ExportError('export_too_large');
  return { content: bytes, contentType: mediaType };
}

/**
 * Clears filters that the request sends without operator and value, which would otherwise use their published default.
 */
function withCleared({ filters, ...others }: ReturnType<typeof controlsOf>): ReturnType<typeof controlsOf> {
  const entries = Object.entries(filters).map(([member, condition]) => {
    const isCleared = condition !== null && Object.keys(condition).length === 0;
    return [member, isCleared ? null : condition] as const;
  });
  return { ...others, filters: Object.fromEntries(entries) };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const reportIdOf = (value: unknown): string | number | undefined => (typeof value === 'number' ? value : text(value));

/** Returns the dashboard if the subject may still read it. @throws ExportError */
async function readableDashboard(
  db: Db,
  { dashboardId, deploymentId, subject }: store.StoredExport,
): Promise<Dashboard> {
  const { userId, embedTenantId, context } = subject;
  const { publicId = '' } = (await findDashboardRef(db, dashboardId)) ?? {};
  const found =
    context === null
      ? await findRecipientDashboard(db, subject, { deploymentId, publicId })
      : await findViewerDashboard(db, { deploymentId, userId, embedTenantId }, publicId);
  if (!found) throw new ExportError('export_dashboard_gone');
  return found;
}

/** Returns the stored security context of the caller, or the current one if the export is rendered as another user. */
async function contextOf(db: Db, { subject }: store.StoredExport): Promise<SecurityContext> {
  if (subject.context !== null) return subject.context as SecurityContext;
  const [group] = await groupByContext(db, [subject]);
  if (!group) throw new Error('The subject has no context.');
  return group.context;
}

function storedControls({ filters, memberSwitchers, timeGrains }: JsonObject): Parameters<typeof controlsOf>[0] {
  const list = (value: unknown) => (Array.isArray(value) ? (value as JsonObject[]) : null);
  return { filters: list(filters), memberSwitchers: list(memberSwitchers), timeGrains: list(timeGrains) };
}

/** Stores the progress in steps, one write at a time. A failed write only delays the progress. */
function progressWriter(db: Db, id: string): (share: number) => void {
  let written = 0;
  let isWriting = false;
  return share => {
    const progress = Math.min(99, Math.round(share * 100));
    if (isWriting || progress < written + progressStep) return;
    [written, isWriting] = [progress, true];
    const done = () => {
      isWriting = false;
    };
    store.updateExport(db, id, { progress }).then(done, done);
  };
}
