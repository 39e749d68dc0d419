import type { ChatStep } from '../../../../controllers/chat-result.js';
import type { IconName } from '../icons.js';
import type { ChatPartMessages } from '../messages/messages.js';

/** What is known of a step beside itself. */
export interface StepFacts {
  /** Rows that a query found in all. */
  readonly rows: number | null;
  readonly seconds: number | null;
  readonly locale: string;
  readonly messages: ChatPartMessages;
}

const icons: Readonly<Record<string, IconName>> = { dataQuery: 'database', sqlApi: 'database', modelMeta: 'search' };

/** Less is not worth a word, in seconds. */
const shortest = 0.05;

/** The one line that a step folds into: `Queried the data · 0.4 s · 12 rows`. */
export function stepLine(step: ChatStep, facts: StepFacts): { readonly icon: IconName; readonly text: string } {
  const { rows, seconds, locale, messages } = facts;
  const extras = [
    seconds === null || seconds < shortest
      ? null
      : messages.seconds(new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(seconds)),
    rows === null ? null : messages.rowCount(rows),
  ].filter(extra => extra !== null);
  return {
    icon: step.status === 'failed' ? 'warning' : (icons[step.name] ?? 'wrench'),
    text: [words(step, messages), ...extras].join(' · '),
  };
}

function words({ name, status }: ChatStep, messages: ChatPartMessages): string {
  const isQuery = icons[name] === 'database';
  const isSearch = icons[name] === 'search';
  switch (status) {
    case 'running':
      if (isQuery) return messages.querying;
      return isSearch ? messages.searchingModel : messages.usingTool(name);
    case 'failed':
      return isQuery ? messages.queryFailed : messages.toolFailed(name);
    case 'done':
      if (isQuery) return messages.queried;
      return isSearch ? messages.searchedModel : messages.usedTool(name);
  }
}
