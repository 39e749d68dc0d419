import type { LabelItem, Parameters, Pulse, TransformClass } from 'vega-dataflow';
import { boundItem } from 'vega-scenegraph';

// This module is loaded only with Vega. `vega.ts` replaces Vega's transforms with these.

/** Localizes the last entry of a legend, which shows the number of hidden entries. Vega always writes `…45 entries`. */
export function localizeLegends(registry: Record<string, TransformClass>): void {
  const Base = registry.legendentries;
  if (!Base) return;
  registry.legendentries = class extends Base {
    override transform(parameters: Parameters, pulse: Pulse): unknown {
      const out = super.transform(parameters, pulse);
      const { more } = pulse.dataflow.locale();
      const last: { label?: unknown } | undefined = Array.isArray(this.value) ? this.value.at(-1) : undefined;
      const [, count] = /^…(\d+) entries$/.exec(String(last?.label)) ?? [];
      if (more && last && count && parameters.limit) last.label = more(Number(count));
      return out;
    }
  };
}

/** Labels a missing category with the same text as tables, instead of Vega's `null`. */
export function labelMissing(registry: Record<string, TransformClass>): void {
  for (const name of ['axisticks', 'legendentries']) {
    const Base = registry[name];
    if (!Base) continue;
    registry[name] = class extends Base {
      override transform(parameters: Parameters, pulse: Pulse): unknown {
        const out = super.transform(parameters, pulse);
        const entries: readonly { value?: unknown; label?: unknown }[] = Array.isArray(this.value) ? this.value : [];
        for (const entry of entries) {
          if (entry.value === null && entry.label === 'null') entry.label = pulse.dataflow.locale().missing;
        }
        return out;
      }
    };
  }
}

/**
 * Value of `labelOverlap` that rotates the labels of an axis. Without `rotateOverlappingLabels`, Vega treats it as
 * `parity`.
 */
interface RotationOptions {
  /** Height available for rotated labels, px. */
  readonly maxHeight: number;
  /** -1 for labels that rise to the right, 1 for labels that rise to the left. */
  readonly sign: 1 | -1;
  /** The end of a label that is anchored at its tick. */
  readonly align: 'left' | 'right';
  /** Width of the chart, px. As long as it does not change, rotated labels are not straightened. */
  readonly width: number;
}

/** Properties of a label that rotation changes. */
type LabelStyle = Pick<LabelItem, 'angle' | 'align' | 'baseline' | 'limit'>;

/** Height of a line of text, in font sizes. */
const lineHeight = 1.15;
const diagonal = Math.SQRT1_2;

/**
 * Makes Vega rotate overlapping labels of axes whose `labelOverlap` is a `RotationOptions`: by 45°, or by 90° if there
 * is too little space for 45°. Labels are thinned evenly only if they also overlap at 90°. Labels of times and numbers
 * are thinned and never rotated.
 */
export function rotateOverlappingLabels(registry: Record<string, TransformClass>): void {
  const Base = registry.overlap;
  if (!Base) return;
  registry.overlap = class extends Base {
    /** Key of the labels and the size for which labels are currently rotated by 90°; `null` if they are not. */
    #verticalFor: string | null = null;
    readonly #styles = new WeakMap<LabelItem, { upright: LabelStyle; rotated: LabelStyle }>();

    override transform(parameters: Parameters, pulse: Pulse): unknown {
      const { method, separation } = parameters;
      const { source } = pulse.materialize(pulse.SOURCE);
      if (!isRotationOptions(method) || !source) return super.transform(parameters, pulse);
      const labels = source.filter(isLabel).sort((a, b) => a.datum.index - b.datum.index);
      for (const label of labels) this.#straighten(label);
      const plan = this.#plan(labels, method, Number(separation) || 0);
      for (const [index, label] of labels.entries()) {
        if (plan.style) this.#rotate(label, plan.style);
        label.opacity = index % plan.every === 0 ? 1 : 0;
      }
      const bounds = labels[0]?.mark.bounds.clear();
      for (const label of labels) if (label.opacity === 1) bounds?.union(label.bounds);
      return pulse.reflow(true).modifies(['opacity', 'angle', 'align', 'baseline', 'limit']);
    }

    /**
     * Plans the rotation. Labels at 45° need space next to the plot, and labels at 90° do not. Vertical labels remain
     * vertical, because the layout would otherwise oscillate.
     */
    #plan(labels: readonly LabelItem[], method: RotationOptions, gap: number): LabelPlan {
      const widest = Math.max(0, ...labels.map(({ bounds }) => bounds.x2 - bounds.x1));
      const plannedFor = [labels.length, widest, method.maxHeight, method.width].join();
      const canSlant = plannedFor !== this.#verticalFor;
      const plan = planLabels(labels, { ...method, widest, gap, canSlant });
      this.#verticalFor = Math.abs(plan.style?.angle ?? 0) === 90 ? plannedFor : null;
      return plan;
    }

    #rotate(label: LabelItem, style: Partial<LabelStyle>): void {
      const { angle, align, baseline, limit } = label;
      const upright = { angle, align, baseline, limit };
      const rotated = { ...upright, ...style };
      this.#styles.set(label, { upright, rotated });
      Object.assign(label, rotated);
      boundItem(label);
    }

    /** Reverts `#rotate`, except for properties that were encoded again. */
    #straighten(label: LabelItem): void {
      const styles = this.#styles.get(label);
      if (!styles) return;
      this.#styles.delete(label);
      const { upright, rotated } = styles;
      if (label.angle === rotated.angle) label.angle = upright.angle;
      if (label.align === rotated.align) label.align = upright.align;
      if (label.baseline === rotated.baseline) label.baseline = upright.baseline;
      if (label.limit === rotated.limit) label.limit = upright.limit;
      boundItem(label);
    }
  };
}

interface LabelPlan {
  /** Changed properties of all labels; `null` if the labels fit unchanged. */
  readonly style: Partial<LabelStyle> | null;
  /** 1 shows all labels, 2 shows every second label. */
  readonly every: number;
}

interface PlanOptions extends RotationOptions {
  readonly widest: number;
  readonly gap: number;
  readonly canSlant: boolean;
}

function planLabels(labels: readonly LabelItem[], options: PlanOptions): LabelPlan {
  const { maxHeight, sign, align, widest, gap, canSlant } = options;
  const places = labels.map(({ x }) => x).sort((a, b) => a - b);
  const step = Math.min(...places.slice(1).map((x, index) => x - (places[index] ?? x)));
  if (labels.length < 2 || widest + gap <= step) return { style: null, every: 1 };
  const everyFor = (size: number) => (step > 0 ? Math.ceil(size / step) : labels.length);
  if (!labels.every(({ datum }) => typeof datum.value === 'string'))
    return { style: null, every: everyFor(widest + gap) };
  const size = labels[0]?.fontSize ?? 12;
  const slant = Math.max(size, maxHeight / diagonal - size);
  // If slanted labels would be truncated, prefer horizontal labels that are truncated only slightly more.
  if (widest > slant && step - gap >= 0.75 * slant) return { style: { limit: step - gap }, every: 1 };
  const rotated = { align, baseline: 'middle' };
  const line = size * lineHeight;
  if (canSlant && step * diagonal >= line) return { style: { ...rotated, angle: 45 * sign, limit: slant }, every: 1 };
  return { style: { ...rotated, angle: 90 * sign, limit: maxHeight }, every: everyFor(line) };
}

function isRotationOptions(method: unknown): method is RotationOptions {
  return typeof method === 'object' && method !== null && 'maxHeight' in method;
}

function isLabel(item: object): item is LabelItem {
  return 'bounds' in item && 'datum' in item && 'text' in item;
}
