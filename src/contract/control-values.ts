import * as z from 'zod/mini';
import { optional, recordOf } from './wire.js';

/** Maximum length of control values as JSON, in characters. */
const maxStateLength = 10_000;

/**
 * Control values of a dashboard: conditions, granularities and selected members, keyed by member, and open tabs, keyed
 * by container.
 */
export const ControlValues = z
  .strictObject({
    filters: z.optional(recordOf(z.unknown())),
    timeGrains: z.optional(recordOf(z.nullable(z.string()))),
    members: z.optional(recordOf(z.nullable(z.string()))),
    tabs: z.optional(recordOf(z.string())),
  })
  .check(
    z.refine(
      state => JSON.stringify(state).length <= maxStateLength,
      `must have at most ${maxStateLength} characters as JSON`,
    ),
  );
/**
 * Control values of a dashboard: conditions, granularities and selected members, keyed by member, and open tabs, keyed
 * by container.
 */
export type ControlValues = z.infer<typeof ControlValues>;

/** What a comment refers to: a tile, and the control values with which it was written. */
export const CommentContext = z.strictObject({
  widgetId: optional(z.string().check(z.minLength(1), z.maxLength(200))),
  state: optional(ControlValues),
});
/** What a comment refers to: a tile, and the control values with which it was written. */
export type CommentContext = z.infer<typeof CommentContext>;
