import type { AgentTool, CallerData } from '../agent.js';

/** What the tools take for granted of their caller. */
export interface ToolOptions {
  /** IANA name of the time zone that a query without one is in; UTC by default. */
  readonly timezone?: string;
}

/** Makes a tool over what one caller may see. */
export type ToolFactory = (data: CallerData, options: ToolOptions) => AgentTool;
