import * as z from 'zod/mini';
import type { CallerData } from '../../data/caller-data.js';
import { PlatformError } from '../../errors.js';
import { describeIssues } from '../../http/mount.js';
import type { AgentTool } from '../agent.js';

/** Most characters that a model is told of what is wrong with its input. */
const maxMessage = 500;

/**
 * Reads what a model wrote as the input of a tool.
 * @throws PlatformError 400 that names the field, for the model to do it better.
 */
export function readInput<T extends z.ZodMiniType>(schema: T, input: unknown): z.infer<T> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  throw new PlatformError(400, describeIssues('input', result.error.issues).slice(0, maxMessage));
}

/** Text of at most so many characters, with an ellipsis where it was cut; no character is cut in two. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** What the tools take for granted of their caller. */
export interface ToolOptions {
  /** IANA name of the time zone that a query without one is in; UTC by default. */
  readonly timezone?: string;
}

/** Makes a tool over what one caller may see. */
export type ToolFactory = (data: CallerData, options: ToolOptions) => AgentTool;
