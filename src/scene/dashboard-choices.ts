import type { Dashboard, DashboardWidget } from '../contract/dashboards.js';
import { controlLabel, type LabelContext, typeOfControl } from '../elements/messages/control-label.js';
import { type ControlState, choicesOf, controlStates, type Filters } from '../report/controls/control-state.js';
import type { Choice } from '../report/controls/controls.js';
import { type DashboardState, emptyDashboardState } from '../report/controls/dashboard-state.js';
import { implicitControls, parseHostFilters, parseHostState } from '../report/controls/host-state.js';
import { type ModelFacts, modelFacts, timesOf } from '../report/controls/model-facts.js';
import { controlOf } from '../report/controls/read-control.js';
import type { SqlReportSource } from '../report/query/load-report.js';
import type { SceneContext } from './scene-context.js';

/** Control values that apply to the dashboard in a file. */
export interface DashboardChoices {
  readonly choices: readonly Choice[];
  /** One sentence for each value that applies. */
  readonly sentences: readonly string[];
}

/** Options that determine the control values. */
export interface ChoiceOptions {
  /** Filters, time grains and members that the viewer chose; published defaults apply to all other controls. */
  readonly controls?: Partial<Pick<DashboardState, 'filters' | 'timeGrains' | 'members'>> | undefined;
  /** Conditions that override those of `controls`. */
  readonly lockedFilters?: Filters | undefined;
  /** IANA time zone of all queries. */
  readonly timeZone?: string | undefined;
}

const maxSentences = 50;

/** Computes the control values of a dashboard: those of the caller, otherwise the published defaults. */
export async function dashboardChoices(
  context: SceneContext,
  { reportSnapshots, userAttributes }: Dashboard,
  input: ChoiceOptions & { readonly widgets: readonly DashboardWidget[]; readonly source: SqlReportSource },
): Promise<DashboardChoices> {
  const { controls: given, lockedFilters, timeZone, widgets, source } = input;
  const own = widgets.flatMap(widget => controlOf(widget) ?? []);
  const state = parseHostState(given ?? {}, emptyDashboardState);
  const locked = parseHostFilters(lockedFilters ?? null);
  const controls = [...own, ...implicitControls(own, locked, state.filters)];
  const states = controlStates(controls, { locked, given: {}, state, attributes: userAttributes ?? {} });
  const model = controls.length > 0 ? await source.meta() : null;
  const facts = model ? modelFacts(model) : null;
  const times = timesOf(reportSnapshots);
  const chosen = choicesOf(states, member => facts?.get(member)?.type ?? (times.has(member) ? 'time' : null));
  return {
    choices: timeZone ? [...chosen, { kind: 'timezone', value: timeZone }] : chosen,
    sentences: sentencesOf(context, states, { chosen, facts }),
  };
}

function sentencesOf(
  { locale, messages }: SceneContext,
  states: readonly ControlState[],
  { chosen, facts }: { readonly chosen: readonly Choice[]; readonly facts: ModelFacts | null },
): string[] {
  const speech: LabelContext = { locale, words: messages.controls, outer: messages.page, model: facts };
  return states
    .filter(({ control, value }) => value !== null && control.visibility !== 'hidden')
    .slice(0, maxSentences)
    .map(state => controlLabel(state, typeOfControl(state, chosen), speech));
}
