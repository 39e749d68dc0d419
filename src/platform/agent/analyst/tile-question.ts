import * as z from 'zod/mini';
import { ToolName } from '../../../contract/chat.js';
import { Query } from '../../../contract/query.js';
import { relativeRange } from '../../data/time/relative-dates.js';
import { findTimezone, utcZone } from '../../data/time/time-zone.js';
import type { AgentTile, AgentTurn, PastTurn } from '../agent.js';

/** Words that may occur in a question that only refers to a tile: "why is this low?", "explain this tile". */
const referringWords = new Set(
  (
    'a an about and are can chart describe does do explain figure figures graph high how i interpret is it low mean me number ' +
    'numbers of please report say see show shows so summarize table tell that the these this those tile to what why you'
  ).split(' '),
);
const isExplanation = /\b(?:why|what|how|explain|describe|interpret|summarize|tell)\b/;
const refersToTile = /\b(?:this|it|that|these|those|tile|chart|figures?|graph|numbers?|report|table)\b/;

/**
 * Whether a question is only about the tile itself: each of its words refers to the tile, or requests an explanation.
 */
export function isAboutTile(input: string): boolean {
  const words = input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const text = words.join(' ');
  return words.every(word => referringWords.has(word)) && isExplanation.test(text) && refersToTile.test(text);
}

/** Whether a question is about a cause, which the data does not contain. */
export function isCauseWanted(input: string): boolean {
  return /\bwhy\b/i.test(input);
}

/** Returns the tile that a question is about; `null` if there is none or there are several. */
export function tileOf({ dashboard }: AgentTurn): AgentTile | null {
  const [only, ...others] = dashboard?.selected ?? [];
  if (only === undefined || others.length > 0) return null;
  return dashboard?.tiles.find(({ widgetId, query }) => widgetId === only && query !== null) ?? null;
}

/**
 * Returns a turn that queried the rows of a tile, so that a follow-up question can change the query. `null` if a
 * reading cannot express the query: combined conditions, several time dimensions, comparisons, or dates that are not
 * whole days.
 */
export function turnOfTile({ title, query }: AgentTile, turn: Pick<AgentTurn, 'now' | 'timezone'>): PastTurn | null {
  const read = z.safeParse(Query, query);
  if (!read.success) return null;
  const { filters, timeDimensions, ...rest } = read.data;
  const times = timeDimensions ?? [];
  if (times.length > 1 || (filters ?? []).some(filter => !('member' in filter))) return null;
  const absolute = times.map(time => absoluteTime(time, turn));
  if (absolute.includes(null)) return null;
  const input = { query: { ...rest, filters, timeDimensions: absolute } };
  return { input: title, answer: '', calls: [{ name: ToolName.dataQuery, input, result: {} }] };
}

type Time = NonNullable<z.infer<typeof Query>['timeDimensions']>[number];

/** Replaces a relative date range with its days. */
function absoluteTime(time: Time, { now, timezone }: Pick<AgentTurn, 'now' | 'timezone'>): Time | null {
  const { dateRange } = time;
  if ('compareDateRange' in time && time.compareDateRange) return null;
  if (typeof dateRange !== 'string') return time;
  const range = relativeRange(dateRange, { now, timezone: findTimezone(timezone) ?? utcZone });
  if (!range) return null;
  const [from, to] = range;
  if (!from.includes('T00:00:00') || !to.includes('T23:59:59')) return null;
  return { ...time, dateRange: [from.slice(0, 10), to.slice(0, 10)] };
}
