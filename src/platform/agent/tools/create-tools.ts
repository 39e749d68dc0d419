import type { CallerData } from '../../data/caller-data.js';
import type { AgentTool } from '../agent.js';
import { createDataQuery } from './data-query.js';
import { createModelMeta } from './model-meta.js';
import type { ToolFactory, ToolOptions } from './tool-input.js';

/** In the order in which a model is told of them. */
const factories: readonly ToolFactory[] = [createModelMeta, createDataQuery];

/** The tools of an agent, bound to one caller, by name. */
export function createTools(data: CallerData, options: ToolOptions = {}): ReadonlyMap<string, AgentTool> {
  return new Map(factories.map(create => create(data, options)).map(tool => [tool.name, tool]));
}
