// Loaded with Vega alone: `vega.ts` registers these in the place of Vega's own.
import type { Parameters, Pulse, TransformClass } from 'vega-dataflow';

/** Most values that one step of a data flow may make of its parameters alone. */
const maxValues = 100_000;
/** Most steps of a curve, of bins or of ticks. */
const maxSteps = 2_000;
/** Most parts that a chart may be divided into by its data: small charts, lines of one series each. */
const maxParts = 1_000;
/** Most rows through which a curve is smoothed: the time it takes grows with their square. */
const maxSmoothedRows = 2_000;
/** Most labels along an axis of names; of more, Vega would measure all to show a few. */
const maxLabels = 200;

/** A data flow was asked for more than a page should have to bear. The message holds nothing of the rows. */
class BoundError extends Error {
  override readonly name = 'ChartBoundError';
}

/** Looks at what a transform is about to do; throws where it is too much, or returns what it shall do instead. */
type Check = (parameters: Parameters, pulse: Pulse) => Parameters | undefined;

function atMost(count: unknown, most: number, what: string): undefined {
  if (Number(count) > most) throw new BoundError(`The chart asks for ${what}: more than ${most}.`);
}

const checks: Readonly<Record<string, Check>> = {
  sequence: ({ start, stop, step }) => {
    const count = (Number(stop) - Number(start)) / Number(step || 1);
    if (!(count <= maxValues)) atMost(Number.POSITIVE_INFINITY, maxValues, 'too long a sequence');
  },
  bin: ({ maxbins, step, base, extent, span }) => {
    const [from = 0, to = 0] = Array.isArray(extent) ? extent.map(Number) : [];
    const width = Math.abs(Number(span ?? to - from));
    atMost(maxbins, maxSteps, 'too many bins');
    if (step != null) atMost(width / Number(step), maxSteps, 'too many bins');
    // By such bases the search for a step would never end.
    if (base != null && !(Number(base) >= 1.1 && Number(base) <= 1_000))
      throw new BoundError('The base of bins is unfit.');
  },
  density: ({ steps, minsteps, maxsteps }) => {
    for (const count of [steps, minsteps, maxsteps]) atMost(count, maxSteps, 'too many steps of a curve');
  },
  kde: ({ steps, minsteps, maxsteps }) => {
    for (const count of [steps, minsteps, maxsteps]) atMost(count, maxSteps, 'too many steps of a curve');
  },
  quantile: ({ step, probs }) => {
    atMost(1 / Number(step ?? 1), maxSteps, 'too many quantiles');
    if (Array.isArray(probs)) atMost(probs.length, maxSteps, 'too many quantiles');
  },
  regression: ({ order }) => atMost(order, 10, 'too high an order of a trend'),
  loess: (_, pulse) => atMost(sizeOf(pulse), maxSmoothedRows, 'a curve through too many rows'),
  cross: (_, pulse) => atMost(sizeOf(pulse) ** 2, maxValues, 'too many pairs of rows'),
  fold: ({ fields }, pulse) => atMost(lengthOf(fields) * sizeOf(pulse), maxValues * 5, 'too many rows'),
  impute: ({ groupby, key, keyvals }, pulse) => {
    const keys = lengthOf(keyvals) + differentOf([key], pulse);
    atMost(keys * differentOf(groupby, pulse), maxValues, 'too many missing rows');
  },
  aggregate: ({ cross, groupby }, pulse) => {
    if (!cross || !Array.isArray(groupby)) return;
    const count = groupby.reduce((product, field) => product * differentOf([field], pulse), 1);
    atMost(count, maxValues, 'too many groups');
  },
  pivot: ({ limit }) => atMost(limit, maxParts, 'too many columns'),
  axisticks: boundTicks,
  legendentries: boundTicks,
};

function sizeOf(pulse: Pulse): number {
  return pulse.materialize(pulse.SOURCE).source?.length ?? 0;
}

/** How many different values of some fields, taken together, the rows have; Vega tells values apart by their texts too. */
function differentOf(fields: unknown, pulse: Pulse): number {
  const accessors = Array.isArray(fields) ? fields.filter(field => typeof field === 'function') : [];
  const rows = pulse.materialize(pulse.SOURCE).source ?? [];
  return new Set(rows.map(row => accessors.map(field => String(field(row))).join('|'))).size;
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Ticks by an interval of time that is too short for the axis become ticks by their number; of many names some get a label. */
function boundTicks(parameters: Parameters): Parameters | undefined {
  const { scale, count, values } = parameters;
  if (Array.isArray(values)) return atMost(values.length, maxSteps, 'too many ticks');
  const domain: unknown[] = isScale(scale) ? scale.domain() : [];
  if (isScale(scale) && (scale.bandwidth || scale.type === 'point') && domain.length > maxLabels) {
    const every = Math.ceil(domain.length / maxLabels);
    return instead(parameters, { values: domain.filter((_, index) => index % every === 0) });
  }
  if (typeof count === 'number') return count > maxSteps ? instead(parameters, { count: maxSteps }) : undefined;
  if (count === undefined || count === null || isScale(count)) return;
  const { interval = count, step = 1 } = Object(count);
  const shortest = units[String(interval)] ?? units.day ?? 1;
  const span = Number(domain.at(-1)) - Number(domain[0]);
  return span / (shortest * Math.max(1, Number(step))) > maxSteps ? instead(parameters, { count: 10 }) : undefined;
}

const day = 86_400_000;
const units: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day,
  week: 7 * day,
  month: 28 * day,
  year: 365 * day,
};

interface ScaleLike {
  readonly type?: string;
  domain(): unknown[];
  bandwidth?(): number;
}

function isScale(value: unknown): value is ScaleLike {
  return typeof value === 'function' && 'domain' in value;
}

/** The same parameters but for some values; they still tell which of them were modified. */
function instead(parameters: Parameters, values: Readonly<Record<string, unknown>>): Parameters {
  return Object.assign(Object.create(parameters), values);
}

function bounded(Base: TransformClass, check: Check): TransformClass {
  return class extends Base {
    override transform(parameters: Parameters, pulse: Pulse): unknown {
      return super.transform(check(parameters, pulse) ?? parameters, pulse);
    }
  };
}

function boundedParts(Base: TransformClass): TransformClass {
  return class extends Base {
    /** Keys of the parts that there were so far; those that are gone count until the view is. */
    readonly #keys = new Set<unknown>();

    override subflow(key: unknown, ...rest: readonly unknown[]): unknown {
      this.#keys.add(key);
      atMost(this.#keys.size, maxParts, 'too many parts');
      return super.subflow?.(key, ...rest);
    }
  };
}

/** Puts bounds on the transforms of a registry that can make much of little. */
export function boundTransforms(registry: Record<string, TransformClass>): void {
  for (const [name, check] of Object.entries(checks)) {
    const Base = registry[name];
    if (Base) registry[name] = bounded(Base, check);
  }
  for (const name of ['facet', 'prefacet']) {
    const Base = registry[name];
    if (Base) registry[name] = boundedParts(Base);
  }
}
