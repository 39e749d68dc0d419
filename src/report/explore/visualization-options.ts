import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';

/** How a result is shown. `auto` depends on the result. */
export const visualizations = [
  'auto',
  'table',
  'kpi',
  'line',
  'area',
  'column',
  'bar',
  'donut',
  'map',
  'sankey',
] as const;
/** How a result is shown. */
export type Visualization = (typeof visualizations)[number];

/** Settings of a visualization that users choose in a form. */
export type OptionName =
  | 'measure'
  | 'stack'
  | 'points'
  | 'zero'
  | 'axisTitle'
  | 'legend'
  | 'hole'
  | 'totals'
  | 'rowTotals'
  | 'columnTotals'
  | 'measuresAxis'
  | 'side'
  | 'cells'
  | 'display'
  | 'label'
  | 'better'
  | 'target'
  | 'mapType'
  | 'region'
  | 'latitude'
  | 'longitude'
  | 'size'
  | 'color'
  | 'place'
  | 'from'
  | 'to'
  | 'nodes';

/**
 * Chosen settings by name, or by `name member` for settings of one column. A missing setting has its default value.
 * Settings that are on or off are `true` or `false`.
 */
export type VisualizationOptions = Readonly<Record<string, string>>;

/** A setting in the form. */
export interface OptionField {
  readonly name: OptionName;
  /** Key of the setting in `VisualizationOptions`. */
  readonly key: string;
  /** Title of the column that the setting belongs to; empty if it belongs to the whole result. */
  readonly column: string;
  readonly control: 'choice' | 'check' | 'text' | 'number';
  readonly value: string;
  /** Values of a choice. `title` is the title of a column; other values are named by the messages of the form. */
  readonly choices: readonly { readonly value: string; readonly title: string | null }[];
}

/** Key of a setting of one column. */
function columnKey(name: OptionName, member: string): string {
  return `${name} ${member}`;
}

/** The columns of a result by their role. */
export interface Roles {
  readonly measures: readonly Column[];
  readonly groups: readonly Column[];
  readonly isTime: boolean;
}

/** Returns the columns of a result by their role. Comparison columns are omitted. */
export function rolesOf({ columns }: Pick<RowSet, 'columns'>): Roles {
  const own = columns.filter(({ comparison }) => !comparison);
  const groups = own.filter(({ kind }) => kind !== 'measure');
  return {
    measures: own.filter(({ kind }) => kind === 'measure'),
    groups,
    isTime: groups.some(({ kind }) => kind === 'timeDimension'),
  };
}

/**
 * Returns the form of a visualization.
 * @param visualization - a visualization other than `auto`.
 * @param hasComparison - whether measures are compared with an earlier period.
 */
export function visualizationFields(
  visualization: Visualization,
  rowSet: RowSet,
  options: VisualizationOptions,
  { hasComparison }: { readonly hasComparison: boolean },
): readonly OptionField[] {
  const roles = rolesOf(rowSet);
  const form = new FieldList(options);
  switch (visualization) {
    case 'table':
      return tableFields(form, roles);
    case 'kpi':
      return kpiFields(form, roles, { hasComparison });
    case 'map':
      return mapFields(form, roles);
    case 'sankey':
      return sankeyFields(form, roles);
    default:
      return chartFields(form, visualization, roles);
  }
}

/** Whether a group is on the column axis of a pivot table. */
function isPivot({ groups }: Roles, options: VisualizationOptions): boolean {
  return groups.some(({ member }) => options[columnKey('side', member)] === 'columns');
}

class FieldList {
  readonly fields: OptionField[] = [];
  readonly #options: VisualizationOptions;

  constructor(options: VisualizationOptions) {
    this.#options = options;
  }

  /** Adds a choice. The first value is the default. */
  choice(name: OptionName, values: readonly string[], column: Column | null = null): this {
    return this.#add(
      name,
      'choice',
      values.map(value => ({ value, title: null })),
      column,
    );
  }

  /** Adds a field that selects a column. If it is optional, the user can also choose no column. */
  columns(name: OptionName, columns: readonly Column[], initial: string, needed: 'required' | 'optional' = 'required') {
    const named = columns.map(({ member, annotation }) => ({ value: member, title: annotation.shortTitle }));
    const choices = needed === 'optional' ? [{ value: '', title: null }, ...named] : named;
    return this.#add(name, 'choice', choices, null, initial);
  }

  check(name: OptionName, initial: 'true' | 'false'): this {
    return this.#add(name, 'check', [], null, initial);
  }

  text(name: OptionName, control: 'text' | 'number' = 'text'): this {
    return this.#add(name, control, [], null, '');
  }

  #add(
    name: OptionName,
    control: OptionField['control'],
    choices: OptionField['choices'],
    column: Column | null,
    initial = choices[0]?.value ?? '',
  ): this {
    const key = column ? columnKey(name, column.member) : name;
    const chosen = this.#options[key] ?? initial;
    const isPossible = control !== 'choice' || choices.some(({ value }) => value === chosen);
    const value = isPossible ? chosen : initial;
    this.fields.push({ name, key, column: column?.annotation.shortTitle ?? '', control, value, choices });
    return this;
  }
}

function chartFields(
  form: FieldList,
  visualization: Visualization,
  { measures, groups, isTime }: Roles,
): readonly OptionField[] {
  const numbers = measures.filter(({ annotation }) => annotation.type === 'number');
  const hasSeries = groups.length > 1;
  if (numbers.length > 1) form.columns('measure', numbers, numbers[0]?.member ?? '');
  if (visualization === 'donut') form.check('hole', 'true');
  if (visualization === 'line') form.choice('points', ['auto', 'true', 'false']).check('zero', 'true');
  if (hasSeries && visualization === 'area') form.choice('stack', ['stacked', 'normalized', 'layered']);
  if (hasSeries && (visualization === 'bar' || (visualization === 'column' && !isTime))) {
    form.choice('stack', ['stacked', 'grouped', 'normalized']);
  }
  if (visualization !== 'donut') form.text('axisTitle');
  if (hasSeries || visualization === 'donut') form.choice('legend', ['auto', 'top', 'right', 'bottom', 'none']);
  return form.fields;
}

function tableFields(form: FieldList, roles: Roles): readonly OptionField[] {
  const { measures, groups } = roles;
  if (groups.length > 1 && measures.length > 0) {
    for (const group of groups) form.choice('side', ['rows', 'columns'], group);
  }
  const options = Object.fromEntries(form.fields.map(({ key, value }) => [key, value]));
  if (isPivot(roles, options)) {
    form.check('rowTotals', 'false').check('columnTotals', 'false');
    if (measures.length > 1) form.choice('measuresAxis', ['columns', 'rows']);
  } else if (measures.length > 0 && groups.length > 0) {
    form.check('totals', 'false');
  }
  for (const measure of measures) form.choice('cells', ['text', 'bar', 'sequential', 'diverging'], measure);
  return form.fields;
}

function kpiFields(
  form: FieldList,
  { measures, isTime }: Roles,
  { hasComparison }: { readonly hasComparison: boolean },
): readonly OptionField[] {
  const displays = [...(hasComparison ? ['comparison'] : []), ...(isTime ? ['sparkline'] : []), 'number', 'progress'];
  if (measures.length > 1) form.columns('measure', measures, measures[0]?.member ?? '');
  form.choice('display', displays).text('label');
  const display = form.fields.find(({ name }) => name === 'display')?.value;
  if (display === 'progress') form.text('target', 'number');
  if (display === 'comparison') form.choice('better', ['more', 'less', 'neither']);
  return form.fields;
}

function mapFields(form: FieldList, { measures, groups }: Roles): readonly OptionField[] {
  const texts = groups.filter(({ kind }) => kind !== 'timeDimension');
  const degrees = degreesOf(groups);
  form.choice('mapType', degrees ? ['points', 'us-states', 'countries'] : ['us-states', 'countries']);
  const type = form.fields.find(({ name }) => name === 'mapType')?.value;
  const first = measures[0]?.member ?? '';
  if (type === 'points' && degrees) {
    const numbers = groups.filter(({ annotation }) => annotation.type === 'number');
    form.columns('latitude', numbers, degrees.latitude).columns('longitude', numbers, degrees.longitude);
    form.columns('size', measures, '', 'optional').columns('color', measures, first, 'optional');
  } else {
    form.columns('region', texts, texts[0]?.member ?? '').columns('color', measures, first);
  }
  return form.columns('place', texts, '', 'optional').fields;
}

/** Returns the columns with the coordinates of a result; `null` if it has none. */
export function degreesOf(groups: readonly Column[]): { readonly latitude: string; readonly longitude: string } | null {
  const named = (name: string): string | undefined =>
    groups.find(({ member, annotation }) => annotation.type === 'number' && member.toLowerCase().endsWith(name))
      ?.member;
  const [latitude, longitude] = [named('latitude'), named('longitude')];
  return latitude && longitude ? { latitude, longitude } : null;
}

function sankeyFields(form: FieldList, { measures, groups }: Roles): readonly OptionField[] {
  form.columns('from', groups, groups[0]?.member ?? '').columns('to', groups, groups[1]?.member ?? '');
  if (measures.length > 1) form.columns('measure', measures, measures[0]?.member ?? '');
  return form.choice('nodes', ['separate', 'shared']).fields;
}

/** Keys of the `spec` of a map, and the settings that they contain. */
const mapKeys = [
  ['region', 'region'],
  ['latitude', 'latitude'],
  ['longitude', 'longitude'],
  ['size', 'size'],
  ['color', 'color'],
  ['label', 'place'],
] as const;

/**
 * Returns the settings as `spec` keys of a visualization other than charts, on top of the keys that the form cannot
 * express.
 */
export function visualizationSpec(
  visualization: Visualization,
  fields: readonly OptionField[],
  roles: Roles,
  base: JsonObject,
): JsonObject {
  const value = (name: OptionName): string => fields.find(field => field.name === name)?.value ?? '';
  switch (visualization) {
    case 'table':
      return tableSpec(fields, roles, base);
    case 'kpi': {
      const [measure, label, better] = [value('measure'), value('label').trim(), value('better')];
      const target = Number(value('target'));
      const { measure: _, label: _label, better: _better, target: _target, ...rest } = base;
      return {
        ...rest,
        display: value('display'),
        ...(measure && { measure }),
        ...(label && { label }),
        ...(better && better !== 'more' && { better }),
        ...(value('target') !== '' && Number.isFinite(target) && { target }),
      };
    }
    case 'map': {
      const rest = Object.fromEntries(
        Object.entries(base).filter(([key]) => !mapKeys.some(([known]) => known === key)),
      );
      const set = mapKeys.flatMap(([key, name]) => (value(name) ? [[key, value(name)] as const] : []));
      return { ...rest, type: value('mapType'), ...Object.fromEntries(set) };
    }
    case 'sankey': {
      const measure = value('measure');
      const { value: _, ...rest } = base;
      return {
        ...rest,
        source: value('from'),
        target: value('to'),
        nodes: value('nodes'),
        ...(measure && { value: measure }),
      };
    }
    default:
      return base;
  }
}

function tableSpec(fields: readonly OptionField[], { measures, groups }: Roles, base: JsonObject): JsonObject {
  const on = (name: OptionName): boolean => fields.some(field => field.name === name && field.value === 'true');
  const axes = new Map(fields.filter(({ name }) => name === 'side').map(({ key, value }) => [key, value]));
  const sideOf = ({ member }: Column): string => axes.get(columnKey('side', member)) ?? 'rows';
  const { pivotItems: before, showTotals: _, columns: looksBefore, ...rest } = base;
  const across = groups.filter(group => sideOf(group) === 'columns');
  const columns = { ...(isObject(looksBefore) && looksBefore) };
  for (const { name, key, value } of fields) {
    if (name !== 'cells') continue;
    const member = key.slice('cells '.length);
    const { display, scale: _scale, ...others } = isObject(columns[member]) ? columns[member] : {};
    const kept = display === 'bar' || display === undefined ? others : { ...others, display };
    const scaled = value === 'text' ? kept : { ...kept, scale: value };
    const changed = value === 'bar' ? { ...others, display: 'bar' } : scaled;
    if (Object.keys(changed).length > 0) columns[member] = changed;
    else delete columns[member];
  }
  const names = (list: readonly Column[]): string[] => list.map(({ member }) => member);
  const measuresAxis = fields.find(({ name }) => name === 'measuresAxis')?.value;
  return {
    ...rest,
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(on('totals') && { showTotals: true }),
    ...(across.length > 0 && {
      pivotItems: {
        ...(isObject(before) ? before : { filters: [] }),
        rows: names(groups.filter(group => sideOf(group) !== 'columns')),
        columns: names(across),
        measures: names(measures),
        showRowTotals: on('rowTotals'),
        showColumnTotals: on('columnTotals'),
        ...(measuresAxis && { measuresAxis }),
      },
    }),
  };
}

/** Reads the settings of a report that this editor, or an author, has written. */
export function readOptions(visualization: Visualization, spec: JsonObject): VisualizationOptions {
  const options: Record<string, string> = {};
  const set = (key: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') options[key] = `${value}`;
  };
  switch (visualization) {
    case 'table':
      readTable(spec, set);
      break;
    case 'kpi':
      set('display', spec.display ?? 'number');
      for (const key of ['measure', 'label', 'better', 'target']) set(key, spec[key]);
      break;
    case 'map':
      set('mapType', spec.type);
      for (const [key, name] of mapKeys) set(name, spec[key]);
      break;
    case 'sankey':
      set('from', spec.source);
      set('to', spec.target);
      set('measure', spec.value);
      set('nodes', spec.nodes);
      break;
    default:
      readChart(spec, set);
  }
  return options;
}

type Setter = (key: string, value: unknown) => void;

function readTable(spec: JsonObject, set: Setter): void {
  set('totals', spec.showTotals);
  for (const [member, given] of Object.entries(isObject(spec.columns) ? spec.columns : {})) {
    if (!isObject(given)) continue;
    if (given.display === 'bar') set(columnKey('cells', member), 'bar');
    else set(columnKey('cells', member), given.scale);
  }
  const { pivotItems: items } = spec;
  if (!isObject(items)) return;
  for (const member of Array.isArray(items.columns) ? items.columns : []) set(`side ${String(member)}`, 'columns');
  set('rowTotals', items.showRowTotals);
  set('columnTotals', items.showColumnTotals);
  set('measuresAxis', items.measuresAxis);
}

function readChart(spec: JsonObject, set: Setter): void {
  const [first] = Array.isArray(spec.layer) ? spec.layer : [spec];
  if (!isObject(first) || !isObject(first.encoding)) return;
  const { encoding } = first;
  const mark = isObject(first.mark) ? first.mark : { type: first.mark };
  const value = [encoding.theta, encoding.y, encoding.x].find(
    (channel): channel is JsonObject => isObject(channel) && channel.type === 'quantitative',
  );
  if (!value) return;
  set('measure', String(value.field).replaceAll('\\', ''));
  set('axisTitle', value.title);
  if (mark.type === 'arc') set('hole', mark.innerRadius !== 0);
  if (mark.type === 'line' && isObject(mark.point) === false) set('points', mark.point);
  if (isObject(value.scale)) set('zero', value.scale.zero);
  if (encoding.xOffset || encoding.yOffset) set('stack', 'grouped');
  else if (value.stack === 'normalize') set('stack', 'normalized');
  else if (value.stack === null) set('stack', 'layered');
  const { color } = encoding;
  if (!isObject(color)) return;
  if (color.legend === null) set('legend', 'none');
  else if (isObject(color.legend)) set('legend', color.legend.orient);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
