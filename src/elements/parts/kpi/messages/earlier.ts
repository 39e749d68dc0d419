import type { KpiOffset } from '../../../../report/kpi.js';
import { formattingLocale } from '../../../../report/locale.js';

/** Says in one language how long ago something was ("3 months ago"); null for the period right before, which has a word of its own. */
export function earlierIn(language: string): (offset: KpiOffset) => string | null {
  const relative = new Intl.RelativeTimeFormat(formattingLocale(language));
  return ({ amount, unit }) => (amount === 1 || unit === 'other' ? null : relative.format(-amount, unit));
}
