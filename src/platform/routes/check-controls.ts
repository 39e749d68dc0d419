import type { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { MetaResponse } from '../../contract/meta.js';
import { conditionFilters, type MemberType } from '../../report/filter-condition.js';
import { conditionOf } from '../../report/read-control.js';
import { isPredefined } from '../data/model/references.js';
import { PlatformError } from '../errors.js';

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];
type Dimension = MetaResponse['cubes'][number]['dimensions'][number];

const memberTypes: readonly MemberType[] = ['string', 'number', 'boolean', 'time'];
const problems = {
  operator: 'can not be filtered by this operator',
  value: 'has no such values',
  case: 'can not be compared that way: whole texts mind upper and lower case, and parts of texts do not',
} as const;

/**
 * Checks the controls of a dashboard against what is public in a model: a viewer can't mend them.
 * @throws PlatformError 400 that names the widget, for a member that is no dimension anybody sees, for a granularity that it lacks, for a
 * condition that it can't meet, and for members that can't stand in each other's place.
 */
export function checkControls(widgets: readonly Widget[], { cubes }: MetaResponse): void {
  const dimensions = new Map(cubes.flatMap(cube => cube.dimensions).map(dimension => [dimension.name, dimension]));
  const measures = new Set(cubes.flatMap(cube => cube.measures).map(({ name }) => name));
  for (const widget of widgets) {
    const problem =
      widget.type === 'FIELD' ? switchProblem(widget, dimensions, measures) : problemOf(widget, dimensions);
    if (problem !== null) throw new PlatformError(400, `Widget ${widget.id}: ${problem}`);
  }
}

function switchProblem(
  { config }: Widget,
  dimensions: ReadonlyMap<string, Dimension>,
  measures: ReadonlySet<string>,
): string | null {
  const { member, members, value } = config ?? {};
  const offered = (Array.isArray(members) ? members : []).map(each => String(Object(each).member ?? each));
  const names = [String(member), ...offered, ...(value == null ? [] : [String(value)])];
  const unknown = names.find(name => !dimensions.has(name) && !measures.has(name));
  if (unknown !== undefined) return `${unknown} is no dimension or measure of the model that is public`;
  const other = names.find(name => measures.has(name) !== measures.has(String(member)));
  return other === undefined ? null : `${other} can't stand in the place of ${member}: one of them is a measure`;
}

function problemOf({ type, config }: Widget, dimensions: ReadonlyMap<string, Dimension>): string | null {
  if (type !== 'FILTER' && type !== 'TIME_GRAIN') return null;
  const { member, granularities, value } = config ?? {};
  const dimension = dimensions.get(String(member));
  if (dimension === undefined) return `${String(member)} is no dimension of the model that is public`;
  if (type === 'FILTER') return conditionProblem(dimension, config ?? {});
  if (dimension.type !== 'time') return `${dimension.name} is no time dimension: a TIME_GRAIN needs one`;
  const own = (dimension.granularities ?? []).map(({ name }) => name);
  const chosen = [granularities ?? [], value ?? []].flat();
  const unknown = chosen.find(name => typeof name !== 'string' || !(own.includes(name) || isPredefined(name)));
  return unknown === undefined ? null : `${dimension.name} has no granularity ${JSON.stringify(unknown).slice(0, 60)}`;
}

/** Why what a filter begins with can't be asked for. */
function conditionProblem({ name, type }: Dimension, config: unknown): string | null {
  const condition = conditionOf(config);
  if (!condition) return null;
  const told = conditionFilters(name, condition, memberTypes.find(known => known === type) ?? 'string');
  return 'problem' in told ? `${name}, of type ${type}, ${problems[told.problem]}` : null;
}
