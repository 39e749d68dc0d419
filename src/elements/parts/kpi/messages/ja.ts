import { earlierIn } from './earlier.js';
import type { KpiMessages } from './messages.js';

const earlier = earlierIn('ja');
const previous = { day: '前日', week: '前週', month: '前月', quarter: '前四半期', year: '前年', other: '前期間' };

/** Japanese. */
export const ja: KpiMessages = {
  versusPeriod: offset => {
    const ago = earlier(offset);
    return ago === null ? `${previous[offset.unit]}比` : `${ago}比`;
  },
  versus: title => `${title}比`,
  incomparable: '以前の数値なし',
  unchanged: '変化なし',
  better: '改善',
  worse: '悪化',
  ofTarget: (percent, target) => `目標（${target}）の ${percent}`,
  noTarget: '目標なし',
  trend: (from, to, lowest, highest) => `${from} から ${to} までの線、最小 ${lowest}、最大 ${highest}。`,
};
