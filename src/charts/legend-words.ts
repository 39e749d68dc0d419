// Loaded with Vega alone: `vega.ts` registers this in the place of Vega's own.
import type { Parameters, Pulse, TransformClass } from 'vega-dataflow';

/** Has the last entry of a legend say what is left out in the words of its view's locale; Vega writes `…45 entries` whatever that is. */
export function wordLegends(registry: Record<string, TransformClass>): void {
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
