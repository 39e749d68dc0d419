import * as z from 'zod/mini';
import type { widgetTypes } from './dashboards.js';
import { AttributeName } from './embed-grant.js';
import { MemberName } from './query.js';
import { containerLayouts, controlVisibilities, dashboardFilterOperators } from './widget-config.js';
import { type JsonObject, optional } from './wire.js';

// The configs of `widget-config.ts` as a caller may write them: known keys hold what they are for, and name what there is. Other keys
// are the caller's own, and are kept.

/** Containers nest no deeper (domain facts 4). */
const maxDepth = 4;

const Title = z.string().check(z.maxLength(255));
const WidgetId = z.string().check(z.minLength(1), z.maxLength(128));
const Scalar = z.union([z.string().check(z.maxLength(10_000)), z.number(), z.boolean()]);
const Granularity = z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a granularity such as month'));

/** A member that a widget can't do without. */
const memberOf = (type: string) =>
  z.custom<string>(
    value => MemberName.safeParse(value).success,
    `a ${type} widget names its member, such as orders.status`,
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

/** Ways in which the children of a container stand side by side. */
const directions = ['vertical', 'horizontal'] as const;

const configs = {
  CHART: z.looseObject({
    reportId: z.custom<number>(
      value => Number.isSafeInteger(value),
      'a CHART widget names the numeric id of its report',
    ),
    title: optional(Title),
    hideTitle: optional(z.boolean()),
    controls: optional(z.record(z.string(), z.nullable(MemberName))),
    crossFilter: optional(z.boolean()),
  }),
  TEXT: z.looseObject({
    markdown: z.custom<string>(value => typeof value === 'string', 'a TEXT widget holds its text as markdown'),
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

/** A widget whose own shape was checked. */
interface Widget {
  readonly id?: string | null | undefined;
  readonly type: (typeof widgetTypes)[number];
  readonly config?: JsonObject | null | undefined;
}

/** What is wrong, and where, from the thing on that was asked about. */
export interface InputProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What is wrong with one widget by itself. */
export function configProblems({ type, config }: Widget): InputProblem[] {
  const schema = type in configs ? configs[type as keyof typeof configs] : null;
  if (!schema) return [];
  const read = z.safeParse<z.ZodMiniType>(schema, config ?? {});
  if (!read.success) return read.error.issues.flatMap(issue => toInputProblems(issue, ['config']));
  return type === 'FILTER' ? conditionProblems(configs.FILTER.parse(config), ['config']) : [];
}

type Issue = z.core.$ZodIssue;

/** Of a union, the alternative that came furthest tells what is wrong. */
function toInputProblems(issue: Issue, before: readonly PropertyKey[]): InputProblem[] {
  const path = [...before, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
  const inner = issue.errors.find(errors => errors.some(each => each.path.length > 0));
  return inner ? inner.flatMap(each => toInputProblems(each, path)) : [{ path, message: issue.message }];
}

function conditionProblems({ operator, value }: Condition, path: readonly PropertyKey[]): InputProblem[] {
  if (operator !== 'between' || value == null || (Array.isArray(value) && value.length === 2)) return [];
  return [{ path: [...path, 'value'], message: 'between needs a list of two, its start and its end' }];
}

/** What is wrong between the widgets of a dashboard, each of which is sound by itself. */
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
    if (!isControl(byId.get(id))) yield { path: ['controls', id], message: 'names no control of this dashboard' };
  }
}

function* presetProblems({ config }: Widget, byId: ReadonlyMap<string, Widget>): Iterable<InputProblem> {
  const { options, value } = configs.PARENT.parse(config);
  const ids = options.map(({ id }) => id);
  if (value != null && !ids.includes(value)) yield { path: ['value'], message: 'names none of the options' };
  for (const [place, { id, controls }] of options.entries()) {
    const path = ['options', place];
    if (ids.indexOf(id) !== place) yield { path: [...path, 'id'], message: 'two options have this id' };
    for (const [name, chosen] of Object.entries(controls)) {
      const driven = byId.get(name);
      const at = [...path, 'controls', name];
      if (!isControl(driven)) yield { path: at, message: 'names no control of this dashboard' };
      else if ((driven?.type === 'FILTER') === (typeof chosen === 'string')) {
        const needs = driven?.type === 'FILTER' ? 'a condition, such as {operator, value}' : 'a name';
        yield { path: at, message: `a ${driven?.type} is set to ${needs}` };
      } else if (typeof chosen !== 'string') yield* conditionProblems(chosen, at);
    }
  }
}

/** Ids of the widgets in a container, in order. */
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
  if (value != null && !ids.includes(value)) yield { path: ['value'], message: 'names none of the children' };
  for (const [place, id] of ids.entries()) {
    const path = ['children', place];
    if (!byId.has(id)) yield { path, message: `there is no widget ${id}` };
    else if (parents.has(id)) yield { path, message: `${id} stands in a container already` };
    else if (standsIn(widget.id ?? '', id, parents)) yield { path, message: `${id} would stand in itself` };
    else parents.set(id, widget.id ?? '');
  }
  // Whatever order the containers stand in, the last one of a chain to be looked at sees all of it.
  if (above(widget, parents) + below(widget, byId) > maxDepth) {
    yield { path: ['children'], message: `containers nest up to ${maxDepth} deep` };
  }
}

function standsIn(id: string, around: string, parents: ReadonlyMap<string, string>): boolean {
  for (let at: string | undefined = id; at !== undefined; at = parents.get(at)) if (at === around) return true;
  return false;
}

/** How many containers a container stands in. */
function above({ id }: Widget, parents: ReadonlyMap<string, string>): number {
  let count = 0;
  for (let at = parents.get(id ?? ''); at !== undefined; at = parents.get(at)) count += 1;
  return count;
}

/** How many containers deep a container is, itself among them; what is too deep is not looked at further. */
function below(widget: Widget, byId: ReadonlyMap<string, Widget>, depth = 1): number {
  if (depth > maxDepth) return depth;
  const inner = childrenOf(widget).map(id => byId.get(id));
  const depths = inner.map(child => (child?.type === 'CONTAINER' ? below(child, byId, depth + 1) : depth));
  return Math.max(depth, ...depths);
}
