import * as z from 'zod/mini';
import { type DashboardConfigInput, ReportMeta } from '../../../contract/dashboard-input.js';
import { describeIssues } from '../../../contract/messages.js';
import type { MetaResponse } from '../../../contract/meta.js';
import { conditionFilters, type MemberType } from '../../../report/controls/filter-condition.js';
import { conditionOf } from '../../../report/controls/read-control.js';
import { isPredefined } from '../../data/model/references.js';
import { PlatformError } from '../../errors.js';

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];
type Dimension = MetaResponse['cubes'][number]['dimensions'][number];

const memberTypes: readonly MemberType[] = ['string', 'number', 'boolean', 'time'];
const problems = {
  operator: 'cannot be filtered with this operator',
  value: 'does not support these values',
  case: 'does not support this caseSensitive value: equals and not_equals are case-sensitive, other operators are not',
} as const;

/**
 * Checks the controls of a dashboard against the public model, because viewers cannot fix them.
 * @throws PlatformError 400 with the widget, for a member that is not a public dimension, an unknown granularity, an
 * unsupported condition, or members that cannot replace each other.
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
  if (unknown !== undefined) return `${unknown} is not a public dimension or measure of the model`;
  const other = names.find(name => measures.has(name) !== measures.has(String(member)));
  return other === undefined ? null : `${other} cannot replace ${member}: only one of them is a measure`;
}

function problemOf({ type, config }: Widget, dimensions: ReadonlyMap<string, Dimension>): string | null {
  if (type !== 'FILTER' && type !== 'TIME_GRAIN') return null;
  const { member, granularities, value } = config ?? {};
  const dimension = dimensions.get(String(member));
  if (dimension === undefined) return `${String(member)} is not a public dimension of the model`;
  if (type === 'FILTER') return conditionProblem(dimension, config ?? {});
  if (dimension.type !== 'time') return `${dimension.name} is not a time dimension, which a TIME_GRAIN requires`;
  const own = (dimension.granularities ?? []).map(({ name }) => name);
  const chosen = [granularities ?? [], value ?? []].flat();
  const unknown = chosen.find(name => typeof name !== 'string' || !(own.includes(name) || isPredefined(name)));
  return unknown === undefined ? null : `${dimension.name} has no granularity ${JSON.stringify(unknown).slice(0, 60)}`;
}

/** Returns the reason why the initial condition of a filter is not supported; `null` if it is supported. */
function conditionProblem({ name, type }: Dimension, config: unknown): string | null {
  const condition = conditionOf(config);
  if (!condition) return null;
  const result = conditionFilters(name, condition, memberTypes.find(known => known === type) ?? 'string');
  return 'problem' in result ? `${name}, of type ${type}, ${problems[result.problem]}` : null;
}

/**
 * Validates the stored metadata of a report, because metadata of older versions may contain values that are rejected
 * today.
 * @param report - name of the report for the message.
 * @throws PlatformError 400 with the report and the key.
 */
export function readReportMeta(meta: unknown, report: string): ReportMeta {
  const read = z.safeParse(ReportMeta, meta);
  if (!read.success) throw new PlatformError(400, describeIssues(`${report}: meta`, read.error.issues));
  return read.data;
}

/** The fields of a stored query that contain members. */
interface NamingQuery {
  readonly measures?: unknown;
  readonly dimensions?: unknown;
  readonly segments?: unknown;
  readonly timeDimensions?: unknown;
  readonly filters?: unknown;
}

/**
 * Checks the members of a report's query against the public model, because viewers cannot fix them.
 * @param report - name of the report for the message.
 * @throws PlatformError 400 with the report and the member.
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
    lacking(
      filteredMembers(query.filters).map(withoutGranularity),
      new Set([...known.measure, ...known.dimension]),
      'member',
    );
  if (missing !== null) throw new PlatformError(400, `${report}: ${missing} of the model`);
}

function lacking(asked: readonly unknown[], known: ReadonlySet<string>, what: string): string | null {
  const name = asked.find(each => typeof each === 'string' && !known.has(each));
  return name === undefined ? null : `${String(name).slice(0, 200)} is not a public ${what}`;
}

/** Returns the members of conditions, including nested ones. */
function filteredMembers(filters: unknown): unknown[] {
  return list(filters).flatMap(filter => {
    const { member, dimension, and, or } = Object(filter);
    return [member ?? dimension, ...filteredMembers(and), ...filteredMembers(or)];
  });
}

/** Removes the granularity: `cube.member.month` refers to `cube.member`. */
function withoutGranularity(name: unknown): unknown {
  return typeof name === 'string' ? name.split('.').slice(0, 2).join('.') : name;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
