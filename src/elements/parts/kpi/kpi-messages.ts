import type { KpiOffset } from '../../../report/kpi/kpi.js';
import { createTimeAgo, type MessageTree } from '../../messages/message-format.js';

const timeAgo = createTimeAgo('en');
const previousPeriods = {
  day: 'previous day',
  week: 'previous week',
  month: 'previous month',
  quarter: 'previous quarter',
  year: 'previous year',
  other: 'previous period',
};

/** English messages of KPIs. */
export const kpiMessages = {
  /** Base of a comparison: an earlier period or another column. */
  versusPeriod: (offset: KpiOffset) => {
    const ago = timeAgo(offset);
    return ago === null ? `vs ${previousPeriods[offset.unit]}` : `vs ${ago}`;
  },
  versus: (title: string) => `vs ${title}`,
  /** Shown for a change without an earlier value. */
  incomparable: 'no earlier value',
  unchanged: 'unchanged',
  /** Text alternatives for the color of a change. */
  better: 'better',
  worse: 'worse',
  ofTarget: (percent: string, target: string) => `${percent} of the target (${target})`,
  noTarget: 'no target',
  /** Description of a sparkline, as a sentence. */
  trend: (from: string, to: string, lowest: string, highest: string) =>
    `Line from ${from} to ${to}, lowest ${lowest}, highest ${highest}.`,
} satisfies MessageTree;

/** Messages of KPIs, in one language. */
export type KpiMessages = typeof kpiMessages;
