import type { CallerData } from '../../data/caller-data.js';
import type { AgentDashboard, AgentTool } from '../agent.js';
import { createDataQuery } from './data-query.js';
import { createModelMeta } from './model-meta.js';
import { createSetDashboardControls } from './set-dashboard-controls.js';
import { createSuggestReplies } from './suggest-replies.js';
import type { ToolFactory, ToolOptions } from './tool-input.js';

/** Tool factories, in the order in which tools are presented to a model. */
const factories: readonly ToolFactory[] = [createModelMeta, createDataQuery, createSuggestReplies];

/** Adds the tools of the dashboard that a message is about. */
export function withDashboardTools(
  tools: ReadonlyMap<string, AgentTool>,
  dashboard: AgentDashboard | null | undefined,
): ReadonlyMap<string, AgentTool> {
  if (!dashboard || dashboard.controls.length === 0) return tools;
  const tool = createSetDashboardControls(dashboard);
  return new Map([...tools, [tool.name, tool]]);
}

/** Creates the tools of an agent by name, bound to one caller. */
export function createTools(data: CallerData, options: ToolOptions = {}): ReadonlyMap<string, AgentTool> {
  return new Map(factories.map(create => create(data, options)).map(tool => [tool.name, tool]));
}
