import type { KpiOffset } from '../../../../report/kpi.js';

/** Words of figures. Figures come formatted. */
export interface KpiMessages {
  /** What a change is compared with: so long before, or another column. */
  readonly versusPeriod: (offset: KpiOffset) => string;
  readonly versus: (title: string) => string;
  /** Said of a change that has no figure: there was nothing before. */
  readonly incomparable: string;
  readonly unchanged: string;
  /** What the colour of a change says. */
  readonly better: string;
  readonly worse: string;
  readonly ofTarget: (percent: string, target: string) => string;
  readonly noTarget: string;
  /** Name of a line of figures: a sentence. */
  readonly trend: (from: string, to: string, lowest: string, highest: string) => string;
}
