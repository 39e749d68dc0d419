import type { DashboardSubscription } from '../../../contract/embed-subscriptions.js';
import type { Filters } from '../../../report/controls/control-state.js';
import { parseHostFilters } from '../../../report/controls/host-state.js';
import { humanizeName } from '../../../report/query/member-names.js';
import { filterLabel, type LabelContext, withNames } from '../../messages/control-label.js';

/** Maximum number of filters that a subscription lists; further filters are counted. */
const maxFilters = 5;

/** Returns the conditions of a subscription in words. A filter without a condition is omitted. */
export function filterWords({ filters }: DashboardSubscription, speech: LabelContext): string[] {
  const given = (filters ?? []).map(({ member, ...condition }) => [String(member), condition] as const);
  const read = Object.entries(parseHostFilters(Object.fromEntries(given) as Filters));
  const labels = read.flatMap(([member, condition]) => {
    if (!condition) return [];
    const facts = speech.model?.get(member);
    return [
      filterLabel(
        facts?.title ?? humanizeName(member.slice(member.indexOf('.') + 1)),
        condition,
        facts?.type ?? null,
        withNames(speech, member),
      ),
    ];
  });
  const rest = labels.length - maxFilters;
  const more = rest > 0 ? [`+${new Intl.NumberFormat(speech.locale).format(rest)}`] : [];
  return [...labels.slice(0, maxFilters), ...more];
}
