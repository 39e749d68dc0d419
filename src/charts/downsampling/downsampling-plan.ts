import type { Column } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { isObject, objects } from '../spec/spec.js';

/** How to downsample a chart: the columns that determine the positions of its marks. */
export interface DownsamplingPlan {
  /** `line`: lines and areas, with or without points; `points`: points only. */
  readonly kind: 'line' | 'points';
  readonly x: ScaledColumn;
  /** One entry for each line or layer. */
  readonly y: readonly ScaledColumn[];
  /** Columns that split the marks into series. */
  readonly series: readonly Column[];
  /** Other columns that define scale domains. */
  readonly domains: readonly Column[];
  /** True if Vega sorts the points of a line by `x`; false if it uses row order. */
  readonly sorts: boolean;
  /** True if two rows with the same `x` would be stacked. */
  readonly stacks: boolean;
}

/** A column and the scale that maps its values to positions. */
export interface ScaledColumn {
  readonly column: Column;
  readonly scale: string;
}

type Aliases = ReadonlyMap<string, string>;

const continuous = new Set(['linear', 'time', 'utc', 'log', 'pow', 'sqrt', 'symlog']);
const downsampledMarks = new Set(['line', 'area', 'symbol']);
/** Matches expressions that read rows other than their own. */
const readsOtherRows = /\b(?:data|indata|intersect|tree\w*|geo\w*)\(/;
/** Matches the filter with which Vega-Lite drops rows that have no position. */
const isValidity =
  /^(?:[()&|\s]|isValid\(datum\["[^"]*"\]\)|isDate\(datum\["[^"]*"\]\)|isFinite\(\+datum\["[^"]*"\]\))+$/;

/**
 * Returns how to downsample a chart, or `null` if it must render all rows. Downsampling requires that all marks are
 * lines, areas or points, that their positions are unmodified column values, and that nothing in the specification
 * counts, sums or compares rows.
 * @param spec A prepared Vega specification.
 */
export function planDownsampling(
  spec: JsonObject,
  dataName: string | null,
  columns: readonly Column[],
): DownsamplingPlan | null {
  if (dataName === null || readsOtherRows.test(JSON.stringify(spec))) return null;
  try {
    return new PlanReader(spec, dataName, columns).read();
  } catch (error) {
    if (error instanceof UnsupportedChart) return null;
    throw error;
  }
}

class UnsupportedChart extends Error {}

function assertSupported(sound: unknown): asserts sound {
  if (!sound) throw new UnsupportedChart();
}

class PlanReader {
  /** Data sets that contain the rows, each with its aliases of columns. */
  readonly #sets = new Map<string, Aliases>();
  readonly #y = new Map<string, ScaledColumn>();
  readonly #series = new Set<Column>();
  readonly #domains = new Set<Column>();
  readonly #types = new Set<string>();
  #x: ScaledColumn | null = null;
  #sorts = true;
  #stackedBy: string | null = null;

  constructor(
    private readonly spec: JsonObject,
    private readonly dataName: string,
    private readonly columns: readonly Column[],
  ) {}

  read(): DownsamplingPlan | null {
    for (const data of objects(this.spec.data)) this.#readData(data);
    for (const mark of objects(this.spec.marks)) this.#readMark(mark, this.#sets);
    const x = this.#x;
    if (!x) return null;
    const y = [...this.#y.values()];
    for (const { scale } of [x, ...y]) assertSupported(this.#isContinuous(scale));
    for (const scale of objects(this.spec.scales)) this.#readDomain(scale.domain);
    const stacks = this.#stackedBy !== null;
    assertSupported(!stacks || (this.#stackedBy === x.column.member && y.length === 1 && this.#series.size === 0));
    const isLine = this.#types.has('line') || this.#types.has('area');
    const placed = new Set([x, ...y].map(({ column }) => column));
    const domains = [...this.#domains].filter(column => !placed.has(column));
    return { kind: isLine ? 'line' : 'points', x, y, series: [...this.#series], domains, sorts: this.#sorts, stacks };
  }

  #readData(data: JsonObject): void {
    const { name, source } = data;
    const isRows = name === this.dataName;
    const parents = sourceNames(source);
    if (!isRows && !parents.some(parent => this.#sets.has(parent))) return;
    assertSupported(isRows || parents.length === 1);
    const aliases = new Map(this.#sets.get(parents[0] ?? '') ?? []);
    for (const transform of objects(data.transform)) this.#readTransform(transform, aliases);
    this.#sets.set(String(name), aliases);
  }

  #readTransform(transform: JsonObject, aliases: Map<string, string>): void {
    const { type, groupby, as } = transform;
    if (type === 'filter') assertSupported(isValidity.test(String(transform.expr)));
    else if (type === 'impute') assertSupported(Array.isArray(groupby) && groupby.length === 0);
    else {
      // The stack of a single value starts at zero and ends at the value.
      assertSupported(type === 'stack' && transform.offset === 'zero');
      assertSupported(Array.isArray(groupby) && groupby.length === 1 && Array.isArray(as));
      this.#stackedBy = unescapeField(groupby[0]);
      for (const name of as) aliases.set(String(name), unescapeField(transform.field));
    }
  }

  #readMark(mark: JsonObject, sets: ReadonlyMap<string, Aliases>): void {
    const from = isObject(mark.from) ? mark.from : {};
    if (mark.type === 'group') {
      this.#readGroup(mark, from, sets);
      return;
    }
    const aliases = sets.get(String(from.data));
    if (!aliases) return;
    assertSupported(downsampledMarks.has(String(mark.type)) && mark.transform === undefined);
    this.#types.add(String(mark.type));
    const sort = isObject(mark.sort) ? unescapeField(mark.sort.field) : '';
    assertSupported(sort === '' || sort === 'x');
    if (mark.type !== 'symbol' && sort === '') this.#sorts = false;
    const encode = isObject(mark.encode) ? mark.encode : {};
    const channels = Object.assign({}, ...[encode.enter, encode.update].filter(isObject)) as JsonObject;
    this.#place(channels, aliases);
  }

  #readGroup(mark: JsonObject, from: JsonObject, sets: ReadonlyMap<string, Aliases>): void {
    const { facet } = from;
    if (!isObject(facet)) {
      assertSupported(!sets.has(String(from.data)) && JSON.stringify(mark.marks ?? []).includes('"from"') === false);
      return;
    }
    const aliases = sets.get(String(facet.data));
    if (!aliases) return;
    assertSupported(!['scales', 'axes', 'layout', 'data', 'legends'].some(key => key in mark));
    assertSupported(facet.field === undefined && facet.aggregate === undefined);
    const groupby = Array.isArray(facet.groupby) ? facet.groupby : [facet.groupby];
    for (const field of groupby) this.#series.add(this.#column(field, aliases));
    const inner = new Map([...sets, [String(facet.name), aliases] as const]);
    for (const child of objects(mark.marks)) this.#readMark(child, inner);
  }

  #place({ x, y, x2, y2, xc, yc, fill, stroke, shape }: JsonObject, aliases: Aliases): void {
    assertSupported(x2 === undefined && xc === undefined && yc === undefined);
    const across = this.#readScaledColumn(x, aliases);
    const along = this.#readScaledColumn(y, aliases);
    assertSupported(!this.#x || (this.#x.column === across.column && this.#x.scale === across.scale));
    if (isObject(y2) && y2.field !== undefined)
      assertSupported(this.#readScaledColumn(y2, aliases).column === along.column);
    this.#x = across;
    this.#y.set(`${along.scale} ${along.column.member}`, along);
    for (const channel of [fill, stroke, shape]) this.#readSeries(channel, aliases);
  }

  /**
   * Adds the text column that a color or shape encodes to the series, because it splits points into series as a facet
   * splits lines.
   */
  #readSeries(channel: unknown, aliases: Aliases): void {
    for (const { field } of isObject(channel) ? [channel] : objects(channel)) {
      if (typeof field !== 'string') continue;
      const column = this.#column(field, aliases);
      if (column.annotation.type !== 'number' && column.annotation.type !== 'time') this.#series.add(column);
    }
  }

  #readScaledColumn(channel: unknown, aliases: Aliases): ScaledColumn {
    assertSupported(isObject(channel) && typeof channel.scale === 'string');
    assertSupported(!['offset', 'mult', 'exponent', 'round', 'band'].some(key => key in channel));
    return { column: this.#column(channel.field, aliases), scale: channel.scale };
  }

  #column(field: unknown, aliases: Aliases): Column {
    assertSupported(typeof field === 'string');
    const name = unescapeField(field);
    const member = aliases.get(name) ?? name;
    const column = this.columns.find(candidate => candidate.member === member);
    assertSupported(column);
    return column;
  }

  #isContinuous(name: string): boolean {
    const scale = objects(this.spec.scales).find(candidate => candidate.name === name);
    return scale !== undefined && continuous.has(String(scale.type ?? 'linear')) && scale.bins === undefined;
  }

  #readDomain(domain: unknown): void {
    if (!isObject(domain)) return;
    assertSupported(domain.sort === undefined || typeof domain.sort === 'boolean');
    const aliases = this.#sets.get(String(domain.data));
    if (aliases && domain.field !== undefined) this.#domains.add(this.#column(domain.field, aliases));
    for (const field of Array.isArray(domain.fields) ? domain.fields : []) {
      if (isObject(field)) this.#readDomain(field);
      else if (aliases) this.#domains.add(this.#column(field, aliases));
    }
  }
}

function unescapeField(field: unknown): string {
  return String(field).replaceAll('\\.', '.');
}

/** Returns the names of the data sets that a data set is derived from. */
function sourceNames(source: unknown): readonly string[] {
  if (typeof source === 'string') return [source];
  return Array.isArray(source) ? source.map(String) : [];
}
