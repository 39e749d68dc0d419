import type { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { MetaResponse } from '../../contract/meta.js';
import { isPredefined } from '../data/model/references.js';
import { PlatformError } from '../errors.js';

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];
type Dimension = MetaResponse['cubes'][number]['dimensions'][number];

/**
 * Checks the controls of a dashboard against what is public in a model: a viewer can't mend them.
 * @throws PlatformError 400 that names the widget, for a member that is no dimension anybody sees, and for a granularity that it lacks.
 */
export function checkControls(widgets: readonly Widget[], { cubes }: MetaResponse): void {
  const dimensions = new Map(cubes.flatMap(cube => cube.dimensions).map(dimension => [dimension.name, dimension]));
  for (const widget of widgets) {
    const problem = problemOf(widget, dimensions);
    if (problem !== null) throw new PlatformError(400, `Widget ${widget.id}: ${problem}`);
  }
}

function problemOf({ type, config }: Widget, dimensions: ReadonlyMap<string, Dimension>): string | null {
  if (type !== 'FILTER' && type !== 'TIME_GRAIN') return null;
  const { member, granularities, value } = config ?? {};
  const dimension = dimensions.get(String(member));
  if (dimension === undefined) return `${String(member)} is no dimension of the model that is public`;
  if (type === 'FILTER') return null;
  if (dimension.type !== 'time') return `${dimension.name} is no time dimension: a TIME_GRAIN needs one`;
  const own = (dimension.granularities ?? []).map(({ name }) => name);
  const chosen = [granularities ?? [], value ?? []].flat();
  const unknown = chosen.find(name => typeof name !== 'string' || !(own.includes(name) || isPredefined(name)));
  return unknown === undefined ? null : `${dimension.name} has no granularity ${JSON.stringify(unknown).slice(0, 60)}`;
}
