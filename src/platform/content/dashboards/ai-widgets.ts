import type { Hono } from 'hono';
import { type AiWidgets, listAiWidgets } from '../../../contract/ai-widgets.js';
import { ErrorCode } from '../../../contract/error-code.js';
import { updatePublishedDashboardAiWidgetThread } from '../../../contract/workbooks.js';
import { targetOfCaller } from '../../auth/model-target.js';
import { type Principal, securityContextOf } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { Call, MountOptions } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, write } from '../../http/serve.js';
import { type AccountConfig, accountConfig, isAiAllowed, requireAi } from '../../settings/account-settings.js';
import { contentAccess, Level } from '../content-access.js';
import { requireWorkbook } from '../require-access.js';
import { publishedOf } from '../workbooks/show-workbook.js';
import { findWorkbookWithLevel } from '../workbooks/workbook-store.js';
import { changeConfig, findConfig, lockPublished } from './dashboard-store.js';
import { findAnswer, isThreadOf } from './pinned-answers.js';
import { resolveAiWidgets } from './resolve-ai-widgets.js';
import { type DashboardViewer, requireDashboard } from './viewers.js';
import { isAiWidget, type PinnedAnswer, pinAnswer, pinnedAnswer } from './widget-threads.js';

/**
 * Mounts the routes of AI widgets: pin an answer of a chat to a published dashboard, and show it to viewers (spec 2.8,
 * 4.5).
 */
export function mountAiWidgets(app: Hono, deps: RouteDeps, reading: MountOptions<DashboardViewer>): void {
  write(app, updatePublishedDashboardAiWidgetThread, deps, async ({ params, body, principal }, tx) => {
    const { workbook } = await requireWorkbook(tx, principal, params, Level.edit);
    await requireAuthoring(tx, principal);
    const published = await lockPublished(tx, workbook.id);
    if (!published) throw notFound('Dashboard');
    const widget = published.config.widgets?.find(each => isAiWidget(each) && each.id === body.widgetId);
    if (!widget) throw new PlatformError(400, 'body.widgetId: the published dashboard has no AI widget with this id');
    const change =
      body.threadId === null
        ? removeAnswer(pinnedAnswer(widget), body.checksum)
        : { answer: await requireAnswer(tx, principal, workbook.deploymentId, { ...body, threadId: body.threadId }) };
    const config = change ? pinAnswer(published.config, widget.id, change.answer) : published.config;
    if (JSON.stringify(config) !== JSON.stringify(published.config)) await changeConfig(tx, published, config);
    const dashboard = await publishedOf(tx, workbook);
    if (!dashboard) throw notFound('Dashboard');
    return dashboard;
  });

  serve(app, listAiWidgets, reading, async ({ principal: viewer, request }) =>
    resolveWidgets(deps, viewer, request.signal),
  );
}

async function requireAuthoring(db: Db, principal: Principal): Promise<void> {
  const config = await accountConfig(db);
  requireAi(settingsOf(principal), config);
  if (!mayAuthor(principal, config)) throw new PlatformError(403, 'AI widgets cannot be changed in this session.');
}

/** True unless the session or the account forbids changes to AI widgets (domain.md 1.4). */
function mayAuthor(principal: Principal, { embedding }: AccountConfig): boolean {
  if (principal.kind !== 'embed') return true;
  const { showAiWidgets, allowChatWorkspaceAuthoring } = principal.settings;
  return (showAiWidgets ?? embedding.showAiWidgets) !== false && allowChatWorkspaceAuthoring !== false;
}

function settingsOf(principal: Principal) {
  return principal.kind === 'embed' ? principal.settings : {};
}

type Body = Call<typeof updatePublishedDashboardAiWidgetThread>['body'];

/** Undoes the last change; `null` if there is nothing to undo. @throws PlatformError 409 */
function removeAnswer(current: PinnedAnswer | null, checksum: Body['checksum']): { readonly answer: null } | null {
  if (checksum != null && checksum !== current?.checksum) {
    throw new PlatformError(409, 'The widget no longer shows this answer.', { code: ErrorCode.checksumConflict });
  }
  return current && { answer: null };
}

/**
 * Returns the answer to pin. Threads of other users are reported as missing.
 * @throws PlatformError 404, 400 if the last answer has no query, 409 if no answer has the checksum
 */
async function requireAnswer(
  db: Db,
  principal: Principal,
  deploymentId: number,
  { threadId, checksum }: Body & { readonly threadId: string },
): Promise<PinnedAnswer> {
  if (!(await isThreadOf(db, principal, { deploymentId, threadId }))) throw notFound('Thread');
  const answer = await findAnswer(db, { deploymentId, threadId, checksum: checksum ?? null });
  if (typeof answer !== 'string') return { threadId: threadId.toLowerCase(), checksum: answer.checksum };
  if (answer === 'noQuery') throw new PlatformError(400, 'body.threadId: the last answer of the thread has no query');
  throw new PlatformError(409, 'The thread has no answer with this checksum.', { code: ErrorCode.checksumConflict });
}

/** Returns the AI widgets of a dashboard as its viewer sees them. */
async function resolveWidgets(
  { db, dataOf }: RouteDeps,
  viewer: DashboardViewer,
  closed: AbortSignal,
): Promise<AiWidgets> {
  const { id, workbookId, deploymentId } = requireDashboard(viewer);
  const { principal } = viewer;
  const [config, account, reached] = await Promise.all([
    findConfig(db, id),
    accountConfig(db),
    findWorkbookWithLevel(db, contentAccess(principal), deploymentId, { id: workbookId }),
  ]);
  const isAllowed = isAiAllowed(settingsOf(principal), account);
  const data = isAllowed ? dataOf(securityContextOf(principal), targetOfCaller(principal, deploymentId)) : null;
  const reader = data && { data, signal: closed };
  const items = await resolveAiWidgets(db, { deploymentId, widgets: config?.widgets ?? [] }, reader);
  return { canPin: isAllowed && (reached?.level ?? Level.none) >= Level.edit && mayAuthor(principal, account), items };
}
