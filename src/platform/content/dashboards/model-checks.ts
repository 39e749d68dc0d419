import * as z from 'zod/mini';
import { type DashboardConfigInput, ReportMeta } from '../../../contract/dashboard-input.js';
import type { MetaResponse } from '../../../contract/meta.js';
import { conditionFilters, type MemberType } from '../../../report/controls/filter-condition.js';
import { conditionOf } from '../../../report/controls/read-control.js';
import { isPredefined } from '../../data/model/references.js';
import { PlatformError } from '../../errors.js';
import { describeIssues } from '../../http/mount.js';

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

/**
 * How a report is drawn, as it is stored: one of long ago may say what is refused today.
 * @param report - what it is called, for the message.
 * @throws PlatformError 400 that names the report and the key.
 */
export function readReportMeta(meta: unknown, report: string): ReportMeta {
  const read = z.safeParse(ReportMeta, meta);
  if (!read.success) throw new PlatformError(400, describeIssues(`${report}: meta`, read.error.issues));
  return read.data;
}

/** What a stored query may name its members by. */
interface NamingQuery {
  readonly measures?: unknown;
  readonly dimensions?: unknown;
  readonly segments?: unknown;
  readonly timeDimensions?: unknown;
  readonly filters?: unknown;
}

/**
 * Checks the members of a report's query against what is public in a model: a viewer can't mend them.
 * @param report - what it is called, for the message.
 * @throws PlatformError 400 that names the report and the member.
 */
export function checkMembers(query: NamingQuery, { cubes }: MetaResponse, report: string): void {
  const names = (kind: 'measures' | 'dimensions' | 'segments') =>
    new Set(cubes.flatMap(cube => cube[kind].map(({ name }) => name)));
  const known = { measure: names('measures'), dimension: names('dimensions'), segment: names('segments') };
  const times = list(query.timeDimensions).map(time => Object(time).dimension);
  const missing =
    lacking(list(query.measures), known.measure, 'measure') ??
    lacking([...list(query.dimensions), ...times].map(withoutGranularity), known.dimension, 'dimension') ??
    lacking(list(query.segments), known.segment, 'segment') ??
    lacking(filtered(query.filters).map(withoutGranularity), new Set([...known.measure, ...known.dimension]), 'member');
  if (missing !== null) throw new PlatformError(400, `${report}: ${missing} of the model that is public`);
}

function lacking(asked: readonly unknown[], known: ReadonlySet<string>, what: string): string | null {
  const name = asked.find(each => typeof each === 'string' && !known.has(each));
  return name === undefined ? null : `${String(name).slice(0, 200)} is no ${what}`;
}

/** Members of conditions, also of those in groups. */
function filtered(filters: unknown): unknown[] {
  return list(filters).flatMap(filter => {
    const { member, dimension, and, or } = Object(filter);
    return [member ?? dimension, ...filtered(and), ...filtered(or)];
  });
}

/** `cube.member.month` names the member `cube.member`. */
function withoutGranularity(name: unknown): unknown {
  return typeof name === 'string' ? name.split('.').slice(0, 2).join('.') : name;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
