import * as z from 'zod/mini';
import { describeIssues } from '../../../contract/messages.js';
import type { CallerData } from '../../data/caller-data.js';
import { PlatformError } from '../../errors.js';
import type { AgentTool } from '../agent.js';

/** Maximum characters of a validation message for the model. */
const maxMessage = 500;

/**
 * Validates tool input written by a model.
 * @throws PlatformError 400 that names the invalid field, so that the model can correct it.
 */
export function readInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.infer<T> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  throw new PlatformError(400, describeIssues('input', result.error.issues).slice(0, maxMessage));
}

/** Truncates text to `maxLength` characters, including an ellipsis. Does not split surrogate pairs. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Caller settings used by the tools. */
export interface ToolOptions {
  /** IANA name of the time zone for queries without one; UTC by default. */
  readonly timezone?: string;
  /** Returns the reference time of a question; the current time by default. */
  readonly now?: () => Date;
  /** Maximum number of rows of one result; 100 by default. */
  readonly maxRows?: number;
}

/** Creates a tool over the data that one caller may see. */
export type ToolFactory = (data: CallerData, options: ToolOptions) => AgentTool;
