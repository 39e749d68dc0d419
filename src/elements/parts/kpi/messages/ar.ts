import { earlierIn } from './earlier.js';
import type { KpiMessages } from './messages.js';

const earlier = earlierIn('ar');
const previous = {
  day: 'باليوم السابق',
  week: 'بالأسبوع السابق',
  month: 'بالشهر السابق',
  quarter: 'بالربع السابق',
  year: 'بالسنة السابقة',
  other: 'بالفترة السابقة',
};

/** Arabic. */
export const ar: KpiMessages = {
  versusPeriod: offset => {
    const ago = earlier(offset);
    return ago === null ? `مقارنة ${previous[offset.unit]}` : `مقارنة بما كان ${ago}`;
  },
  versus: title => `مقارنة بـ ${title}`,
  incomparable: 'لا رقم سابق',
  unchanged: 'بلا تغيير',
  better: 'أفضل',
  worse: 'أسوأ',
  ofTarget: (percent, target) => `${percent} من الهدف (${target})`,
  noTarget: 'لا هدف',
  trend: (from, to, lowest, highest) => `خط من ${from} إلى ${to}، الأدنى ${lowest}، الأعلى ${highest}.`,
};
