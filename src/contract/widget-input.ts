import * as z from 'zod/mini';
import type { widgetTypes } from './dashboards.js';
import { AttributeName } from './embed-grant.js';
import { MemberName } from './query.js';
import { containerLayouts, controlVisibilities, dashboardFilterOperators } from './widget-config.js';
import { type JsonObject, optional } from './wire.js';

// Input schemas for the configs of `widget-config.ts`. Known keys are validated, and referenced widgets must exist;
// other keys belong to the caller and are preserved.

/** Maximum nesting depth of containers (domain.md 4). */
const maxDepth = 4;

const Title = z.string().check(z.maxLength(255));
const WidgetId = z.string().check(z.minLength(1), z.maxLength(128));
const Scalar = z.union([z.string().check(z.maxLength(10_000)), z.number(), z.boolean()]);
const Granularity = z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a granularity such as month'));

/** Returns the schema of a required member. */
const memberOf = (type: string) =>
  z.custom<string>(
    value => MemberName.safeParse(value).success,
    `a ${type} widget requires a member, such as orders.status`,
  );

const condition = {
  operator: optional(z.enum(dashboardFilterOperators)),
  value: optional(z.union([Scalar, z.array(z.nullable(Scalar)).check(z.maxLength(1000))])),
  startInclusive: optional(z.boolean()),
  endInclusive: optional(z.boolean()),
  caseSensitive: optional(z.boolean()),
};
const Condition = z.looseObject(condition);
type Condition = z.infer<typeof Condition>;

const control = { title: optional(Title), visibility: optional(z.enum(controlVisibilities)) };

/** Directions of a container's children. */
const directions = ['vertical', 'horizontal'] as const;

const configs = {
  CHART: z.looseObject({
    reportId: z.custom<number>(
      value => Number.isSafeInteger(value),
      'a CHART widget requires the numeric id of its report',
    ),
    title: optional(Title),
    hideTitle: optional(z.boolean()),
    controls: optional(z.record(z.string(), z.nullable(MemberName))),
    crossFilter: optional(z.boolean()),
  }),
  TEXT: z.looseObject({
    markdown: z.custom<string>(value => typeof value === 'string', 'a TEXT widget requires its text as Markdown'),
  }),
  FILTER: z.looseObject({
    member: memberOf('FILTER'),
    ...control,
    ...condition,
    values: optional(z.array(Scalar).check(z.maxLength(1000))),
    userAttribute: optional(AttributeName),
    operators: optional(z.array(z.enum(dashboardFilterOperators)).check(z.minLength(1))),
    single: optional(z.boolean()),
  }),
  TIME_GRAIN: z.looseObject({
    member: memberOf('TIME_GRAIN'),
    ...control,
    granularities: optional(z.array(Granularity).check(z.minLength(1), z.maxLength(100))),
    value: optional(Granularity),
  }),
  FIELD: z.looseObject({
    member: memberOf('FIELD'),
    ...control,
    members: z
      .array(z.union([MemberName, z.looseObject({ member: MemberName, title: optional(Title) })]))
      .check(z.minLength(1), z.maxLength(50)),
    value: optional(MemberName),
  }),
  PARENT: z.looseObject({
    ...control,
    options: z
      .array(
        z.looseObject({
          id: WidgetId,
          title: optional(Title),
          controls: z.record(z.string(), z.union([z.string(), Condition])),
        }),
      )
      .check(z.minLength(1), z.maxLength(50)),
    value: optional(z.string()),
  }),
  CONTAINER: z.looseObject({
    layout: optional(z.enum(containerLayouts)),
    title: optional(Title),
    children: z
      .array(z.union([WidgetId, z.looseObject({ id: WidgetId, title: optional(Title) })]))
      .check(z.maxLength(200)),
    direction: optional(z.enum(directions)),
    cols: optional(z.int().check(z.gte(1), z.lte(48))),
    value: optional(z.string()),
  }),
} as const;

/** A widget whose shape has been validated. */
interface Widget {
  readonly id?: string | null | undefined;
  readonly type: (typeof widgetTypes)[number];
  readonly config?: JsonObject | null | undefined;
}

/** A problem with an input value, and the path of the value. */
export interface InputProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Returns the problems of one widget's config. */
export function configProblems({ type, config }: Widget): InputProblem[] {
  const schema = type in configs ? configs[type as keyof typeof configs] : null;
  if (!schema) return [];
  const read = z.safeParse<z.ZodMiniType>(schema, config ?? {});
  if (!read.success) return read.error.issues.flatMap(issue => toInputProblems(issue, ['config']));
  return type === 'FILTER' ? conditionProblems(configs.FILTER.parse(config), ['config']) : [];
}

type Issue = z.core.$ZodIssue;

/** Converts an issue to problems. For a union, reports the issues of the alternative that matches best. */
function toInputProblems(issue: Issue, before: readonly PropertyKey[]): InputProblem[] {
  const path = [...before, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
  const inner = issue.errors.find(errors => errors.some(each => each.path.length > 0));
  return inner ? inner.flatMap(each => toInputProblems(each, path)) : [{ path, message: issue.message }];
}

function conditionProblems({ operator, value }: Condition, path: readonly PropertyKey[]): InputProblem[] {
  if (operator !== 'between' || value == null || (Array.isArray(value) && value.length === 2)) return [];
  return [{ path: [...path, 'value'], message: 'between requires a list of two values, start and end' }];
}

/** Returns the problems that involve several widgets of a dashboard. Each widget must already be valid. */
export function boardProblems(widgets: readonly Widget[]): InputProblem[] {
  const byId = new Map(widgets.flatMap(widget => (widget.id == null ? [] : [[widget.id, widget] as const])));
  const parents = new Map<string, string>();
  return widgets.flatMap((widget, place) => {
    const found = [...problemsBetween(widget, byId, parents)];
    return found.map(({ path, message }) => ({ path: [place, 'config', ...path], message }));
  });
}

function problemsBetween(
  widget: Widget,
  byId: ReadonlyMap<string, Widget>,
  parents: Map<string, string>,
): Iterable<InputProblem> {
  switch (widget.type) {
    case 'CHART':
      return mappingProblems(widget, byId);
    case 'PARENT':
      return presetProblems(widget, byId);
    case 'CONTAINER':
      return childProblems(widget, byId, parents);
    default:
      return [];
  }
}

const isControl = (widget: Widget | undefined): boolean =>
  widget?.type === 'FILTER' || widget?.type === 'TIME_GRAIN' || widget?.type === 'FIELD';

function* mappingProblems({ config }: Widget, byId: ReadonlyMap<string, Widget>): Iterable<InputProblem> {
  for (const id of Object.keys(configs.CHART.parse(config).controls ?? {})) {
    if (!isControl(byId.get(id)))
      yield { path: ['controls', id], message: 'is not the id of a control of this dashboard' };
  }
}

function* presetProblems({ config }: Widget, byId: ReadonlyMap<string, Widget>): Iterable<InputProblem> {
  const { options, value } = configs.PARENT.parse(config);
  const ids = options.map(({ id }) => id);
  if (value != null && !ids.includes(value)) yield { path: ['value'], message: 'is not the id of an option' };
  for (const [place, { id, controls }] of options.entries()) {
    const path = ['options', place];
    if (ids.indexOf(id) !== place) yield { path: [...path, 'id'], message: 'is used by two options' };
    for (const [name, chosen] of Object.entries(controls)) {
      const driven = byId.get(name);
      const at = [...path, 'controls', name];
      if (!isControl(driven)) yield { path: at, message: 'is not the id of a control of this dashboard' };
      else if ((driven?.type === 'FILTER') === (typeof chosen === 'string')) {
        const needs = driven?.type === 'FILTER' ? 'a condition, such as {operator, value}' : 'a name';
        yield { path: at, message: `a ${driven?.type} control requires ${needs}` };
      } else if (typeof chosen !== 'string') yield* conditionProblems(chosen, at);
    }
  }
}

/** Returns the ids of the widgets in a container, in order. */
function childrenOf({ config }: Widget): string[] {
  const { children } = configs.CONTAINER.parse(config);
  return children.map(child => (typeof child === 'string' ? child : child.id));
}

function* childProblems(
  widget: Widget,
  byId: ReadonlyMap<string, Widget>,
  parents: Map<string, string>,
): Iterable<InputProblem> {
  const ids = childrenOf(widget);
  const { value } = configs.CONTAINER.parse(widget.config);
  if (value != null && !ids.includes(value)) yield { path: ['value'], message: 'is not the id of a child' };
  for (const [place, id] of ids.entries()) {
    const path = ['children', place];
    if (!byId.has(id)) yield { path, message: `no widget has the id ${id}` };
    else if (parents.has(id)) yield { path, message: `${id} is already in a container` };
    else if (isInside(widget.id ?? '', id, parents)) yield { path, message: `${id} would contain itself` };
    else parents.set(id, widget.id ?? '');
  }
  // Check every container, because only the last one processed in a chain of nested containers sees the whole chain.
  if (above(widget, parents) + below(widget, byId) > maxDepth) {
    yield { path: ['children'], message: `containers can be nested up to ${maxDepth} levels deep` };
  }
}

function isInside(id: string, container: string, parents: ReadonlyMap<string, string>): boolean {
  for (let at: string | undefined = id; at !== undefined; at = parents.get(at)) if (at === container) return true;
  return false;
}

/** Returns the number of containers around a container. */
function above({ id }: Widget, parents: ReadonlyMap<string, string>): number {
  let count = 0;
  for (let at = parents.get(id ?? ''); at !== undefined; at = parents.get(at)) count += 1;
  return count;
}

/** Returns the depth of nested containers, including the container itself. Stops below the maximum depth. */
function below(widget: Widget, byId: ReadonlyMap<string, Widget>, depth = 1): number {
  if (depth > maxDepth) return depth;
  const inner = childrenOf(widget).map(id => byId.get(id));
  const depths = inner.map(child => (child?.type === 'CONTAINER' ? below(child, byId, depth + 1) : depth));
  return Math.max(depth, ...depths);
}
