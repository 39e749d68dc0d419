import { ToolName } from '../../../contract/chat.js';
import { findTimezone, utcZone } from '../../data/time/time-zone.js';
import type { AgentTurn, PastTurn } from '../agent.js';
import type { CallerMemory } from './caller-memory.js';
import { type Choices, NeedsDays, NeedsValues, type Outcome } from './reading/outcome.js';
import { lastReading, readChoice } from './reading/past-turns.js';
import type { Reading } from './reading/reading.js';
import { understand } from './reading/understand.js';
import { readDates } from './time/date-phrases.js';
import { type CoveredDays, type DateContext, dayAfter, stepOf, todayOf } from './time/date-span.js';
import type { DimensionValues } from './vocabulary/dimension-values.js';
import type { Member } from './vocabulary/lexicon.js';

/** Maximum number of consecutive clarifying questions that are replayed to restore their context. */
const maxPending = 4;
/** Maximum number of dimensions to load values for, and how many to load concurrently. */
const maxDimensions = 20;
const atOnce = 4;

/** An interpreted question and its context, used to interpret the answer to a clarifying question. */
interface Resolved {
  readonly outcome: Outcome;
  readonly history: readonly PastTurn[];
  readonly input: string;
  readonly choices: Choices;
}

/** Interprets the questions of one caller and loads the dimension values that this requires. */
export class Session {
  readonly #memory: CallerMemory;
  readonly #signal: AbortSignal;
  readonly #at: DateContext;

  constructor(memory: CallerMemory, { now, timezone }: Pick<AgentTurn, 'now' | 'timezone'>, signal: AbortSignal) {
    this.#memory = memory;
    this.#signal = signal;
    const zone = findTimezone(timezone) ?? utcZone;
    this.#at = { now, timezone: zone, lastDay: todayOf({ now, timezone: zone }) };
  }

  /** Current day in the caller's time zone (`YYYY-MM-DD`). */
  get today(): string {
    return this.#at.lastDay;
  }

  /** Interprets the question of a turn in the context of its history. */
  async resolve(history: readonly PastTurn[], input: string): Promise<Outcome> {
    return (await this.#resolve(history, input, maxPending)).outcome;
  }

  /** Whether a dimension may have several values for the caller. */
  async isVaried(member: Member): Promise<boolean> {
    // Assume several values if they cannot be loaded.
    const values = await this.#memory.values.of(member, this.#at.now.getTime()).catch(() => null);
    return values === null || !values.complete || values.values.length > 1;
  }

  /** Returns the first and last day with data of a time dimension, or `null` if unknown. */
  async days(time: Member): Promise<CoveredDays | null> {
    const [start, end] = await Promise.all([this.#edgeDays(time, 'first'), this.#edgeDays(time, 'last')]);
    const [first, last] = [start[0], end[0]];
    return first !== undefined && last !== undefined ? { first, last, step: stepOf([...start, ...end]) } : null;
  }

  /** Returns the first and last day with data, at most until today. */
  async #covered(time: Member): Promise<CoveredDays | null> {
    const days = await this.days(time);
    if (days === null || days.first > this.today) return null;
    return days.last > this.today ? { ...days, last: dayAfter(this.today, -1) } : days;
  }

  async #resolve(history: readonly PastTurn[], input: string, depth: number): Promise<Resolved> {
    const previous = history.at(-1);
    if (previous && depth > 0 && previous.calls.every(({ name }) => name === ToolName.suggestReplies)) {
      const pending = await this.#resolve(history.slice(0, -1), previous.input, depth - 1);
      const choice = pending.outcome.kind === 'ask' ? readChoice(input, pending.outcome.choices) : undefined;
      if (pending.outcome.kind === 'ask' && choice) {
        return this.#read(
          pending.history,
          pending.input,
          new Map([...pending.choices, [pending.outcome.key, choice.id]]),
        );
      }
    }
    return this.#read(history, input, new Map());
  }

  async #read(history: readonly PastTurn[], input: string, choices: Choices): Promise<Resolved> {
    const base = lastReading(history, this.#memory.lexicon);
    const outcome = await this.#withValues(input, base, choices, this.#at);
    const lastDay = outcome.kind === 'reading' ? await this.#lastDay(input, outcome.reading) : null;
    const settled = lastDay === null ? outcome : await this.#withValues(input, base, choices, { ...this.#at, lastDay });
    return { outcome: settled, history, input, choices };
  }

  /** Returns the last day with data if it is before today and the question contains a date without a year. */
  async #lastDay(input: string, { time, span }: Reading): Promise<string | null> {
    if (time === null || span === null) return null;
    const dates = [this.#at.lastDay, '1990-01-01'].map(lastDay =>
      JSON.stringify(readDates(input, { ...this.#at, lastDay })),
    );
    if (dates[0] === dates[1]) return null;
    const [day] = await this.#edgeDays(time, 'last');
    return day !== undefined && day < this.#at.lastDay ? day : null;
  }

  async #withValues(input: string, base: Reading | null, choices: Choices, initial: DateContext): Promise<Outcome> {
    const { lexicon, speller, timeSlicer } = this.#memory;
    let at = initial;
    let values: readonly DimensionValues[] | null = null;
    const searched: string[] = [];
    for (;;) {
      try {
        return await understand(input, { lexicon, values, speller, searched, base, at, choices, timeSlicer });
      } catch (error) {
        if (error instanceof NeedsDays) {
          at = { ...at, covered: await this.#covered(error.time) };
          continue;
        }
        if (!(error instanceof NeedsValues)) throw error;
        if (error.search === null) values = await this.#values(error.joinGroup);
        else {
          searched.push(error.search);
          values = [...(values ?? []), ...(await this.#search(error.search, values ?? []))];
        }
      }
    }
  }

  /**
   * Loads values of dimensions that can be queried together with the mentioned members, then of other dimensions up to
   * the limit.
   */
  async #values(joinGroup: string | null): Promise<readonly DimensionValues[]> {
    const members = [...this.#memory.lexicon.members.values()].filter(({ suggestsValues }) => suggestsValues);
    const near = members.filter(member => member.joinGroup === joinGroup);
    const views = members.filter(member => member.joinGroup === member.cube);
    const chosen = [...new Set([...near, ...views, ...members])].slice(0, maxDimensions);
    const { values } = this.#memory;
    return this.#each(chosen, member => values.of(member, this.#at.now.getTime()));
  }

  #search(text: string, values: readonly DimensionValues[]): Promise<readonly DimensionValues[]> {
    const large = values.filter(({ complete }) => !complete).map(({ member }) => member);
    return this.#each([...new Set(large)].slice(0, 3), member =>
      this.#memory.values.search(member, text, this.#signal),
    );
  }

  /** Ignores failed lookups. Without the values, the analyst requests clarification or rejects the question. */
  async #each(
    members: readonly Member[],
    load: (member: Member) => Promise<DimensionValues>,
  ): Promise<readonly DimensionValues[]> {
    const found: DimensionValues[] = [];
    for (let start = 0; start < members.length; start += atOnce) {
      const settled = await Promise.allSettled(members.slice(start, start + atOnce).map(load));
      this.#signal.throwIfAborted();
      found.push(...settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])));
    }
    return found;
  }

  async #edgeDays(time: Member, edge: 'first' | 'last'): Promise<readonly string[]> {
    // If the query fails, the analyst continues without these days.
    const days = await this.#memory.values.edgeDays(time, edge, this.#at.now.getTime()).catch(() => []);
    this.#signal.throwIfAborted();
    return days;
  }
}

/** Whether a question can be answered with the data visible to the caller. */
export async function isAnswerable(session: Session, question: string): Promise<boolean> {
  return (await session.resolve([], question)).kind === 'reading';
}
