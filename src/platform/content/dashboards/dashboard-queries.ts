import type { ChatContext } from '../../../contract/chat.js';
import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../../contract/dashboards.js';
import type { MetaResponse } from '../../../contract/meta.js';
import type { JsonObject } from '../../../contract/wire.js';
import { choicesOf, controlStates, requestWithChoices } from '../../../report/controls/control-state.js';
import { type Choice, type Control, choicesOfTile } from '../../../report/controls/controls.js';
import { emptyDashboardState } from '../../../report/controls/dashboard-state.js';
import { implicitControls, parseHostState } from '../../../report/controls/host-state.js';
import { type ModelFacts, modelFacts } from '../../../report/controls/model-facts.js';
import { type SettableControl, settableControls } from '../../../report/controls/propose-controls.js';
import { controlOf, mappingOf } from '../../../report/controls/read-control.js';

/** A report of a published dashboard. */
export interface TileQuery {
  readonly widgetId: string;
  readonly title: string;
  readonly description: string;
  /** The published query with the values of the controls applied; `null` if the report has no query. */
  readonly query: JsonObject | null;
  /** The published SQL of a report that has no equivalent query; otherwise `null`. Controls do not apply to it. */
  readonly sql: string | null;
}

/** A published dashboard with the control values of a viewer. */
export interface DashboardQueries {
  readonly publicId: string;
  readonly title: string;
  /** Controls that an agent can set; empty unless the page applies its changes. */
  readonly controls: readonly SettableControl[];
  /** Reports in the order of the widgets. */
  readonly tiles: readonly TileQuery[];
  /** Ids of the tiles that the viewer selected. */
  readonly selected: readonly string[];
}

/**
 * Computes the queries of a dashboard's tiles with the control values of a page. Ignores invalid values.
 * @param answers - reports of pinned answers as the viewer sees them, by AI widget.
 */
export function dashboardQueries(
  { config, title, reportSnapshots }: Dashboard,
  { dashboardPublicId, controls, tiles = [], canSetControls = false }: ChatContext,
  meta: MetaResponse,
  answers: ReadonlyMap<string, ReportSnapshot> = new Map(),
): DashboardQueries {
  const widgets = config.widgets ?? [];
  const facts = modelFacts(meta);
  const own = widgets.flatMap(widget => controlOf(widget) ?? []);
  const choices = choicesIn(own, controls, facts);
  const selected = new Set(tiles);
  const queries = widgets.flatMap((widget): TileQuery[] => {
    const published = reportSnapshots.find(({ reportId }) => reportId === widget.config?.reportId);
    const snapshot = widget.type === 'CHART' ? published : answers.get(widget.id);
    return snapshot ? [tileQuery(widget, snapshot, choices)] : [];
  });
  return {
    publicId: dashboardPublicId,
    controls: canSetControls ? settableControls(own, facts) : [],
    title: config.title || title || '',
    tiles: queries,
    selected: queries.map(({ widgetId }) => widgetId).filter(id => selected.has(id)),
  };
}

function choicesIn(own: readonly Control[], controls: ChatContext['controls'], facts: ModelFacts): readonly Choice[] {
  const { filters, timeGrains, members } = controls ?? {};
  const given = { filters: filters ?? {}, timeGrains: timeGrains ?? {}, members: members ?? {} };
  const state = parseHostState(given, emptyDashboardState);
  const all = [...own, ...implicitControls(own, state.filters)];
  const states = controlStates(all, { locked: {}, given: {}, attributes: {}, state });
  return choicesOf(states, member => facts.get(member)?.type ?? null);
}

function tileQuery(widget: DashboardWidget, snapshot: ReportSnapshot, choices: readonly Choice[]): TileQuery {
  const request = requestWithChoices(snapshot, choicesOfTile(choices, widget.id, mappingOf(widget)));
  const { title } = widget.config ?? {};
  return {
    widgetId: widget.id,
    title: (typeof title === 'string' && title) || snapshot.title || snapshot.name || '',
    description: snapshot.description ?? '',
    query: request?.kind === 'load' ? { ...request.query } : null,
    sql: request?.kind === 'sql' ? request.text : null,
  };
}
