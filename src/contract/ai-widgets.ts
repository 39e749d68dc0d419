import * as z from 'zod/mini';
import { ReportSnapshot } from './dashboards.js';
import { operation } from './operation.js';
import { openEnum, optional, PublicId } from './wire.js';

/**
 * States of an AI widget: `empty` before an answer is pinned, `ready` with a report, `deleted` if the thread or the
 * answer no longer exists, `noQuery` if the answer has no query, `unavailable` if the query reads members that the
 * caller cannot see.
 */
export const aiWidgetStates = ['empty', 'ready', 'deleted', 'noQuery', 'unavailable'] as const;
/** Whether an AI widget has an answer to show; if not, the reason. */
export type AiWidgetState = (typeof aiWidgetStates)[number];

/**
 * An AI widget as the caller sees it. `snapshot` has the query and the chart of the pinned answer, limited to members,
 * titles and filter values that the caller can see. Its `id` and `reportId` are 0, because it is not a stored report.
 */
export const AiWidget = z.looseObject({
  widgetId: z.string(),
  state: openEnum(aiWidgetStates),
  snapshot: optional(ReportSnapshot),
});
/** An AI widget as the caller sees it. */
export type AiWidget = z.infer<typeof AiWidget>;

/** The AI widgets of a dashboard. `canPin` states whether the caller may pin answers to them. */
export const AiWidgets = z.looseObject({ canPin: z.boolean(), items: z.array(AiWidget) });
/** The AI widgets of a dashboard. */
export type AiWidgets = z.infer<typeof AiWidgets>;

/**
 * Resolves the AI widgets of a published dashboard for the caller (extension): the query and the chart of each pinned
 * answer, without the text, rows or history of its thread. The caller runs the query with its own data token. A
 * platform without a model, or a session without AI, has no answers: the state of each pinned widget is `unavailable`.
 */
export const listAiWidgets = operation({
  id: 'listDashboardAiWidgets',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}/ai-widgets',
  access: 'authenticated',
  params: z.strictObject({ publicId: PublicId }),
  response: AiWidgets,
  errors: {
    403: 'Embedding is disabled for this dashboard.',
    404: 'The dashboard is not published, or is not shared with the caller.',
  },
});
