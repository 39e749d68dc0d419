// This module is loaded only with Vega. `vega.ts` replaces Vega's transforms with these.
import type { Parameters, Pulse, TransformClass } from 'vega-dataflow';

/** Maximum number of values that one transform may generate. */
const maxValues = 100_000;
/** Maximum number of steps of a curve, bins or ticks. */
const maxSteps = 2_000;
/** Maximum number of groups in a facet or pivot. A group is a small multiple, or the line of one series. */
const maxParts = 1_000;
/** Maximum number of rows for a smoothed curve; the run time grows with the square of the rows. */
const maxSmoothedRows = 2_000;
/** Maximum number of labels on an axis of categories. Beyond it, Vega would measure all labels to show a few. */
const maxLabels = 200;

/** A transform exceeds its limit. The message contains no values of rows. */
class BoundError extends Error {
  override readonly name = 'ChartBoundError';
}

/** Checks the parameters of a transform. Throws if they exceed a limit, or returns parameters that replace them. */
type Check = (parameters: Parameters, pulse: Pulse) => Parameters | undefined;

function atMost(count: unknown, max: number, what: string): undefined {
  if (Number(count) > max) throw new BoundError(`The chart requires ${what}: the maximum is ${max}.`);
}

const checks: Readonly<Record<string, Check>> = {
  sequence: ({ start, stop, step }) => {
    const count = (Number(stop) - Number(start)) / Number(step || 1);
    if (!(count <= maxValues)) atMost(Number.POSITIVE_INFINITY, maxValues, 'too many sequence values');
  },
  bin: ({ maxbins, step, base, extent, span }) => {
    const [from = 0, to = 0] = Array.isArray(extent) ? extent.map(Number) : [];
    const width = Math.abs(Number(span ?? to - from));
    atMost(maxbins, maxSteps, 'too many bins');
    if (step != null) atMost(width / Number(step), maxSteps, 'too many bins');
    // With other bases, Vega's search for a step would not terminate.
    if (base != null && !(Number(base) >= 1.1 && Number(base) <= 1_000))
      throw new BoundError('The base of bins must be between 1.1 and 1000.');
  },
  density: ({ steps, minsteps, maxsteps }) => {
    for (const count of [steps, minsteps, maxsteps]) atMost(count, maxSteps, 'too many steps in a curve');
  },
  kde: ({ steps, minsteps, maxsteps }) => {
    for (const count of [steps, minsteps, maxsteps]) atMost(count, maxSteps, 'too many steps in a curve');
  },
  quantile: ({ step, probs }) => {
    atMost(1 / Number(step ?? 1), maxSteps, 'too many quantiles');
    if (Array.isArray(probs)) atMost(probs.length, maxSteps, 'too many quantiles');
  },
  regression: ({ order }) => atMost(order, 10, 'a polynomial order that is too high'),
  loess: (_, pulse) => atMost(sizeOf(pulse), maxSmoothedRows, 'a curve through too many rows'),
  cross: (_, pulse) => atMost(sizeOf(pulse) ** 2, maxValues, 'too many pairs of rows'),
  fold: ({ fields }, pulse) => atMost(lengthOf(fields) * sizeOf(pulse), maxValues * 5, 'too many rows'),
  impute: ({ groupby, key, keyvals }, pulse) => {
    const keys = lengthOf(keyvals) + countDistinct([key], pulse);
    atMost(keys * countDistinct(groupby, pulse), maxValues, 'too many missing rows');
  },
  aggregate: ({ cross, groupby }, pulse) => {
    if (!cross || !Array.isArray(groupby)) return;
    const count = groupby.reduce((product, field) => product * countDistinct([field], pulse), 1);
    atMost(count, maxValues, 'too many groups');
  },
  pivot: ({ limit }) => atMost(limit, maxParts, 'too many columns'),
  axisticks: boundTicks,
  legendentries: boundTicks,
};

function sizeOf(pulse: Pulse): number {
  return pulse.materialize(pulse.SOURCE).source?.length ?? 0;
}

/** Counts the distinct combinations of values of these fields. Compares values as text, as Vega does. */
function countDistinct(fields: unknown, pulse: Pulse): number {
  const accessors = Array.isArray(fields) ? fields.filter(field => typeof field === 'function') : [];
  const rows = pulse.materialize(pulse.SOURCE).source ?? [];
  return new Set(rows.map(row => accessors.map(field => String(field(row))).join('|'))).size;
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/**
 * Limits ticks: an interval that is too short for the axis becomes a tick count, and an axis of many categories labels
 * only some.
 */
function boundTicks(parameters: Parameters): Parameters | undefined {
  const { scale, count, values } = parameters;
  if (Array.isArray(values)) return atMost(values.length, maxSteps, 'too many ticks');
  const domain: unknown[] = isScale(scale) ? scale.domain() : [];
  if (isScale(scale) && (scale.bandwidth || scale.type === 'point') && domain.length > maxLabels) {
    const every = Math.ceil(domain.length / maxLabels);
    return withValues(parameters, { values: domain.filter((_, index) => index % every === 0) });
  }
  if (typeof count === 'number') return count > maxSteps ? withValues(parameters, { count: maxSteps }) : undefined;
  if (count === undefined || count === null || isScale(count)) return;
  const { interval = count, step = 1 } = Object(count);
  const unitMs = units[String(interval)] ?? units.day ?? 1;
  const span = Number(domain.at(-1)) - Number(domain[0]);
  return span / (unitMs * Math.max(1, Number(step))) > maxSteps ? withValues(parameters, { count: 10 }) : undefined;
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

/** Overrides values of parameters. The result inherits the methods of `parameters`, such as `modified()`. */
function withValues(parameters: Parameters, values: Readonly<Record<string, unknown>>): Parameters {
  return Object.assign(Object.create(parameters), values);
}

function withCheck(Base: TransformClass, check: Check): TransformClass {
  return class extends Base {
    override transform(parameters: Parameters, pulse: Pulse): unknown {
      return super.transform(check(parameters, pulse) ?? parameters, pulse);
    }
  };
}

function withPartLimit(Base: TransformClass): TransformClass {
  return class extends Base {
    /** Keys of all parts so far, including removed parts. */
    readonly #keys = new Set<unknown>();

    override subflow(key: unknown, ...rest: readonly unknown[]): unknown {
      this.#keys.add(key);
      atMost(this.#keys.size, maxParts, 'too many parts');
      return super.subflow?.(key, ...rest);
    }
  };
}

/** Adds limits to transforms that can generate large outputs from small inputs. */
export function boundTransforms(registry: Record<string, TransformClass>): void {
  for (const [name, check] of Object.entries(checks)) {
    const Base = registry[name];
    if (Base) registry[name] = withCheck(Base, check);
  }
  for (const name of ['facet', 'prefacet']) {
    const Base = registry[name];
    if (Base) registry[name] = withPartLimit(Base);
  }
}
